// Messages written as a table, for kinds that occur only in responses and have no Go type here. Each field is
// written as "number name type". Types: string, bytes, int, bool, double, a message; "*" before one that is a
// pointer in Go (so that zero is a value), "[]" for lists, "{}" for maps with string keys.
import type { StandIn } from '@instar/kinds';
import { type Field, Message, type ScalarForm } from './message.ts';

const SCALARS = ['string', 'bytes', 'int', 'bool', 'double', 'Time', 'MicroTime', 'IntOrString', 'Json'];
const isScalar = (type: string): type is ScalarForm => SCALARS.includes(type);

/** A list of strings that is a message in protobuf, with the one field `items`. */
const STRINGS: StandIn = {
  toMessage: (value) => ({ items: value }),
  fromMessage: ({ items = [] }) => items,
};

export interface TableOptions {
  /** Messages from other tables that this one uses. */
  readonly known: Readonly<Record<string, Message>>;
  /** Messages of the table that are lists of strings in JSON. */
  readonly lists: readonly string[];
}

export function messagesOf(
  table: Readonly<Record<string, string>>,
  { known, lists }: TableOptions,
): ReadonlyMap<string, Message> {
  const messages = new Map(Object.entries(known));
  for (const [name, text] of Object.entries(table)) {
    const fields = (): (readonly [number, Field])[] =>
      text.split(', ').map((one) => parseField(one, messages));
    messages.set(name, new Message(name, fields, lists.includes(name) ? STRINGS : undefined));
  }
  return messages;
}

function parseField(text: string, messages: ReadonlyMap<string, Message>): readonly [number, Field] {
  const [number, name, written] = text.split(' ') as [string, string, string];
  const match = /^(\*?)(\[\]|\{\})?(\w+)$/.exec(written)!;
  const type = isScalar(match[3]!) ? match[3] : messages.get(match[3]!);
  if (type === undefined) throw new Error(`there is no message ${match[3]}`);
  const form = match[2] === '[]' ? 'list' : match[2] === '{}' ? 'map' : 'one';
  return [Number(number), { name, type, form, nullable: match[1] === '*' }];
}
