#!/usr/bin/env python3
"""Reads a page of `git perf report`: report_page.py PAGE WHAT

history      its data, JSON
profiles     a JSON object a line: title, functions, graph, as the scripts read them
table ID     rows of a table, cells parted by tabs; with ID.v the values that it is sorted by
links        where it leads
check        that elements are closed in order, and that nothing but the page itself is named
"""
import base64, html.parser, json, re, signal, sys, zlib

VOID = {'meta', 'input', 'link', 'img', 'br'}


class Page(html.parser.HTMLParser):
    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.scripts, self.tables, self.links, self.faults = [], [], {}, [], []
        self.table = None

    def handle_starttag(self, tag, attributes):
        a = dict(attributes)
        if tag not in VOID:
            self.open.append(tag)
        for name, value in attributes:
            if name.startswith('on') or name == 'style':
                self.faults.append('%s %s=%s' % (tag, name, value))
            if name in ('src', 'href') and tag != 'a':
                self.faults.append('%s %s=%s' % (tag, name, value))
        if tag == 'a' and not a['href'].startswith('#'):
            self.links.append(a['href'])
        if tag == 'script':
            self.scripts.append([a, ''])
        if tag == 'table':
            self.table = self.tables.setdefault(a.get('id'), [])
        if tag == 'tr' and self.table is not None:
            self.table.append([])
        if tag in ('td', 'th') and self.table:
            self.table[-1].append(['', a.get('data-v', '')])

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.faults.append('</%s> at %s' % (tag, self.getpos()))
        if tag == 'table':
            self.table = None

    def handle_data(self, data):
        if self.open and self.open[-1] == 'script':
            self.scripts[-1][1] += data
        elif self.table and self.table[-1]:
            self.table[-1][-1][0] += data


signal.signal(signal.SIGPIPE, signal.SIG_DFL)
page = Page()
text = open(sys.argv[1], encoding='utf-8').read()
page.feed(text)
what = sys.argv[2]
if what == 'history':
    print(next(t for a, t in page.scripts if a.get('id') == 'history-data'))
elif what == 'profiles':
    for a, t in page.scripts:
        if a.get('class') == 'profile':
            print(json.dumps({'title': a['data-title'], 'commit': a['data-commit'],
                              **json.loads(zlib.decompress(base64.b64decode(t)))}))
elif what == 'table':
    name, _, value = sys.argv[3].partition('.')
    for row in page.tables[name]:
        print('\t'.join(c[1 if value else 0].strip() for c in row))
elif what == 'links':
    print('\n'.join(page.links))
else:
    if page.open:
        page.faults.append('not closed: ' + ' '.join(page.open))
    policy = re.search(r'content="(default-src [^"]*)"', text).group(1)
    if not policy.startswith("default-src 'none';") or 'unsafe' in policy or 'http' in policy:
        page.faults.append(policy)
    print('\n'.join(page.faults) or 'good')
