import { describe, expect, it } from 'vitest';
import { betweenSiblings, cyclesIn, type Edge, spansFolders } from './cycles.ts';

const graph = (...edges: string[]): Edge[] =>
  edges.map((edge) => {
    const [from = '', to = ''] = edge.split(' > ');
    return { from, to };
  });

describe('cyclesIn', () => {
  const shown = (...given: Parameters<typeof cyclesIn>): string[] =>
    cyclesIn(...given).map((path) => path.join(' → '));

  it('finds none in an acyclic graph', () => {
    expect(shown(graph('a > b', 'b > c', 'a > c', 'd > c'))).toEqual([]);
  });

  it('finds two files that import each other', () => {
    expect(shown(graph('a > b', 'b > a', 'b > c'))).toEqual(['a → b → a']);
  });

  it('finds a file that imports itself', () => {
    expect(shown(graph('a > a'))).toEqual(['a → a']);
  });

  it('finds the shortest cycle of each group', () => {
    const edges = graph('a > b', 'b > c', 'c > a', 'c > d', 'd > c', 'x > y', 'y > x', 'a > x');
    expect(shown(edges)).toEqual(['c → d → c', 'x → y → x']);
  });

  it('finds only cycles through an edge that counts', () => {
    const edges = graph('f/a > f/b', 'f/b > f/a', 'f/b > g/c', 'g/c > f/a', 'h/x > h/y', 'h/y > h/x');
    expect(shown(edges, spansFolders)).toEqual(['f/b → g/c → f/a → f/b']);
  });
});

describe('betweenSiblings', () => {
  it.each([
    ['a/x.ts > b/y.ts', 'a > b'],
    ['a/deep/x.ts > b/y.ts', 'a > b'],
    ['a/b/x.ts > a/c/d/y.ts', 'a/b > a/c'],
  ])('returns for %s the folders %s', (edge, folders) => {
    expect(graph(edge).map(betweenSiblings)).toEqual(graph(folders));
  });

  it.each(['a/x.ts > a/y.ts', 'x.ts > a/y.ts', 'a/b/x.ts > a/y.ts', 'a/x.ts > a/b/y.ts'])(
    'is undefined for %s',
    (edge) => {
      expect(graph(edge).map(betweenSiblings)).toEqual([undefined]);
    },
  );
});
