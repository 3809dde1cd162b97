// The table of messages, read into what decoding looks things up in. Each message is read when first needed.
import { MESSAGES } from './messages.ts';

export interface Field {
  /** Empty: the fields of the message are those of the message around it. */
  readonly name: string;
  /** string, bytes, int, bool, or the name of a message. */
  readonly type: string;
  readonly form: 'one' | 'list' | 'map';
  /** The message wraps a list, and is shown as that list. */
  readonly wrapsList: boolean;
  /** Absent and zero differ: zero is kept. */
  readonly nullable: boolean;
}

export type Shape = ReadonlyMap<number, Field>;

const shapes = new Map<string, Shape>();

export function shapeOf(message: string): Shape {
  let shape = shapes.get(message);
  if (shape === undefined) {
    const text = Object.hasOwn(MESSAGES, message) ? MESSAGES[message] : undefined;
    if (text === undefined) throw new Error(`there is no message ${message}`);
    shape = new Map(text.split(', ').map(parseField));
    shapes.set(message, shape);
  }
  return shape;
}

function parseField(text: string): [number, Field] {
  const [number, name, written] = text.split(' ') as [string, string, string];
  const match = /^(\*?)(\[\]|\{\})?(=?)(\w+)$/.exec(written)!;
  const form = match[2] === '[]' ? 'list' : match[2] === '{}' ? 'map' : 'one';
  const nullable = match[1] === '*';
  return [Number(number), { name: name === '.' ? '' : name, type: match[4]!, form, wrapsList: match[3] === '=', nullable }];
}
