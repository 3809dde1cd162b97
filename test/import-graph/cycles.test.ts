import { describe, expect, it } from 'vitest';
import { betweenSiblings, cyclesIn, type Edge, spansFolders } from './cycles.ts';

const graph = (...edges: string[]): Edge[] =>
  edges.map((edge) => {
    const [from = '', to = ''] = edge.split(' > ');
    return { from, to };
  });

describe('cyclesIn', () => {
  const told = (...given: Parameters<typeof cyclesIn>): string[] =>
    cyclesIn(...given).map((path) => path.join(' → '));

  it('finds none where every path ends', () => {
    expect(told(graph('a > b', 'b > c', 'a > c', 'd > c'))).toEqual([]);
  });

  it('tells two files that import each other', () => {
    expect(told(graph('a > b', 'b > a', 'b > c'))).toEqual(['a → b → a']);
  });

  it('tells a file that imports itself', () => {
    expect(told(graph('a > a'))).toEqual(['a → a']);
  });

  it('tells one cycle of each group, the shortest', () => {
    const edges = graph('a > b', 'b > c', 'c > a', 'c > d', 'd > c', 'x > y', 'y > x', 'a > x');
    expect(told(edges)).toEqual(['c → d → c', 'x → y → x']);
  });

  it('tells only cycles through an edge that counts', () => {
    const edges = graph('f/a > f/b', 'f/b > f/a', 'f/b > g/c', 'g/c > f/a', 'h/x > h/y', 'h/y > h/x');
    expect(told(edges, spansFolders)).toEqual(['f/b → g/c → f/a → f/b']);
  });
});

describe('betweenSiblings', () => {
  it.each([
    ['a/x.ts > b/y.ts', 'a > b'],
    ['a/deep/x.ts > b/y.ts', 'a > b'],
    ['a/b/x.ts > a/c/d/y.ts', 'a/b > a/c'],
  ])('takes %s for %s', (edge, folders) => {
    expect(graph(edge).map(betweenSiblings)).toEqual(graph(folders));
  });

  it.each(['a/x.ts > a/y.ts', 'x.ts > a/y.ts', 'a/b/x.ts > a/y.ts', 'a/x.ts > a/b/y.ts'])(
    'takes %s for no import between siblings',
    (edge) => {
      expect(graph(edge).map(betweenSiblings)).toEqual([undefined]);
    },
  );
});
