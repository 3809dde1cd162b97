import { expect, it } from 'vitest';
import { Message } from './message.ts';
import { messagesOf } from './message-table.ts';

it('reads numbers, names, lists, maps and pointers', () => {
  const Other = new Message('Other', () => []);
  const { fields } = messagesOf(
    { A: '1 name string, 3 count *int, 2 others []Other, 4 more {}A' },
    { known: { Other }, lists: [] },
  ).get('A')!;
  expect([...fields].map(([number, { name, form, nullable }]) => [number, name, form, nullable])).toEqual([
    [1, 'name', 'one', false],
    [3, 'count', 'one', true],
    [2, 'others', 'list', false],
    [4, 'more', 'map', false],
  ]);
  expect(fields.get(2)!.type).toBe(Other);
});

it('refuses a type that is not defined', () => {
  const message = messagesOf({ A: '1 b B' }, { known: {}, lists: [] }).get('A')!;
  expect(() => message.fields).toThrow('there is no message B');
});

it('represents a list of strings as a message with items', () => {
  const { standIn } = messagesOf({ A: '1 items []string' }, { known: {}, lists: ['A'] }).get('A')!;
  expect(standIn!.toMessage(['x'])).toEqual({ items: ['x'] });
  expect(standIn!.fromMessage({})).toEqual([]);
});
