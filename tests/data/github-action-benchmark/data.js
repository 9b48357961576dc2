window.BENCHMARK_DATA = {
  "lastUpdate": 1633159398951,
  "repoUrl": "https://github.com/rhysd/github-action-benchmark",
  "entries": {
    "Rust Benchmark": [
      {
        "commit": {
          "author": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "committer": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "distinct": true,
          "id": "45d78258e495044a551046f50604da3c893052ce",
          "message": "add benchmark.js example workflow",
          "timestamp": "2019-11-10T00:06:58+09:00",
          "tree_id": "59cf1e78101c09beef06aa1832e1caa09ec52246",
          "url": "https://github.com/rhysd/github-action-benchmark/commit/45d78258e495044a551046f50604da3c893052ce"
        },
        "date": 1573312140323,
        "tool": "cargo",
        "benches": [
          {
            "name": "bench_fib_10",
            "value": 254,
            "range": "+/- 35",
            "unit": "ns/iter"
          },
          {
            "name": "bench_fib_20",
            "value": 34001,
            "range": "+/- 2,802",
            "unit": "ns/iter"
          }
        ]
      },
      {
        "commit": {
          "author": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "committer": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "distinct": true,
          "id": "b840614fd88743f234aac0dc747a0a70616f450f",
          "message": "add benchmark.js example workflow",
          "timestamp": "2019-11-10T00:10:02+09:00",
          "tree_id": "6099d0c81edd50c38c15007ca5c08740b049c944",
          "url": "https://github.com/rhysd/github-action-benchmark/commit/b840614fd88743f234aac0dc747a0a70616f450f"
        },
        "date": 1573312301293,
        "tool": "cargo",
        "benches": [
          {
            "name": "bench_fib_10",
            "value": 242,
            "range": "+/- 73",
            "unit": "ns/iter"
          },
          {
            "name": "bench_fib_20",
            "value": 35940,
            "range": "+/- 12,469",
            "unit": "ns/iter"
          }
        ]
      },
      {
        "commit": {
          "author": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "committer": {
            "name": "A U Thor",
            "username": "author",
            "email": "author@example.com"
          },
          "distinct": true,
          "id": "ba36beffce7ea6c4846a35832ed47d439f36b805",
          "message": "display range and unit in tooltip",
          "timestamp": "2019-11-10T00:41:29+09:00",
          "tree_id": "fe59205a88c8435db64c00ffb00ff7b61cf674a7",
          "url": "https://github.com/rhysd/github-action-benchmark/commit/ba36beffce7ea6c4846a35832ed47d439f36b805"
        },
        "date": 1573314194405,
        "tool": "cargo",
        "benches": [
          {
            "name": "bench_fib_10",
            "value": 224,
            "range": "+/- 41",
            "unit": "ns/iter"
          },
          {
            "name": "bench_fib_20",
            "value": 30047,
            "range": "+/- 4,964",
            "unit": "ns/iter"
          }
        ]
      }
    ]
  }
}