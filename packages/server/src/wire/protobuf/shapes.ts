// The table of messages, read into what reading and writing look things up in. Each message is read when
// first needed.
import { fieldsOf } from './kinds.ts';
import { STAND_INS, type StandIn } from './stand-ins.ts';

export interface Field {
  /** Empty: the fields of the message are those of the message around it. */
  readonly name: string;
  /** string, bytes, int, bool, double, or the name of a message. */
  readonly type: string;
  readonly form: 'one' | 'list' | 'map';
  /** The message is shown as another value in JSON. */
  readonly standIn: StandIn | undefined;
  /** Absent and zero differ: zero is kept. */
  readonly nullable: boolean;
}

export type MessageFields = ReadonlyMap<number, Field>;

const shapes = new Map<string, MessageFields>();

export function shapeOf(message: string): MessageFields {
  let shape = shapes.get(message);
  if (shape === undefined) {
    const text = fieldsOf(message);
    if (text === undefined) throw new Error(`there is no message ${message}`);
    shape = new Map(text === '' ? [] : text.split(', ').map(parseField));
    shapes.set(message, shape);
  }
  return shape;
}

function parseField(text: string): [number, Field] {
  const [number, name, written] = text.split(' ') as [string, string, string];
  const match = /^(\*?)(\[\]|\{\})?(\w+)$/.exec(written)!;
  const form = match[2] === '[]' ? 'list' : match[2] === '{}' ? 'map' : 'one';
  const type = match[3]!;
  return [
    Number(number),
    { name: name === '.' ? '' : name, type, form, standIn: STAND_INS.get(type), nullable: match[1] === '*' },
  ];
}
