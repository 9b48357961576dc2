/* Allocates in small steps, locks, and computes: what jfr.sh records. */
import java.util.ArrayList;
import java.util.List;

public class load {
	static final Object lock = new Object();
	static long sink;

	static int fib(int n)
	{
		return n < 2 ? n : fib(n - 1) + fib(n - 2);
	}

	static void fill(int n)
	{
		List<byte[]> list = new ArrayList<>();

		for (int i = 0; i < n; i++) {
			list.add(new byte[1000]);
			if (list.size() > 50)
				list.clear();
		}
		sink += list.size();
	}

	static void hold(int n)
	{
		for (int i = 0; i < n; i++)
			synchronized (lock) {
				sink += fib(15);
			}
	}

	public static void main(String[] args) throws Exception
	{
		Thread filler = new Thread(() -> fill(10_500_000), "filler");
		Thread holder = new Thread(() -> hold(20_000), "holder");

		filler.start();
		holder.start();
		hold(20_000);
		filler.join();
		holder.join();
		System.out.println(sink);
	}
}
