// Makes the protobuf message of a Go type.
import type { GoField, GoType, ListType, ScalarType, StructType } from '@instar/kinds';
import { type Field, Message, type ScalarForm } from '../../wire/protobuf/message.ts';

const SCALARS: Readonly<Record<ScalarType['kind'], ScalarForm>> = {
  string: 'string',
  int32: 'int',
  int64: 'int',
  float64: 'double',
  bool: 'bool',
  bytes: 'bytes',
  time: 'Time',
  microTime: 'MicroTime',
  intOrString: 'IntOrString',
  quantity: 'Quantity',
  raw: 'Json',
};

type NumberedField = readonly [number, Field];
/** Fields with the numbers of the embedded messages that they are still in, and their own. */
type Placed = readonly [numbers: readonly number[], name: string, field: GoField];

const messages = new Map<GoType, Message>();

export function messageOf(type: StructType): Message {
  return remembered(type, () => new Message(type.name, () => fieldsOf([...type.fields].map(placed))));
}

/** All lists have the same two fields. */
export const listMessage = (items: Message, listMeta: Message): Message =>
  new Message(`${items.name}List`, () => [
    [1, { name: 'metadata', type: listMeta, form: 'one', nullable: false }],
    [2, { name: 'items', type: items, form: 'list', nullable: false }],
  ]);

function remembered(type: GoType, make: () => Message): Message {
  let message = messages.get(type);
  if (message === undefined) {
    message = make();
    messages.set(type, message);
  }
  return message;
}

const placed = ([name, field]: readonly [string, GoField]): Placed => [[field.number].flat(), name, field];

function fieldsOf(all: readonly Placed[]): NumberedField[] {
  const own = all.filter(([numbers]) => numbers.length === 1 && numbers[0] !== 0);
  const embedded = all.filter(([numbers]) => numbers.length > 1);
  const ofEmbedded = new Set(embedded.map(([numbers]) => numbers[0]!));
  return [
    ...own.map(([numbers, name, field]): NumberedField => [numbers[0]!, fieldOf(name, field)]),
    ...[...ofEmbedded].map(
      (number): NumberedField => [
        number,
        embeddedField(embedded.filter(([numbers]) => numbers[0] === number)),
      ],
    ),
  ];
}

function embeddedField(inside: readonly Placed[]): Field {
  const within = inside.map(([[, ...numbers], name, field]): Placed => [numbers, name, field]);
  return { name: '', type: new Message('', () => fieldsOf(within)), form: 'one', nullable: false };
}

function fieldOf(name: string, { type, pointer = false }: GoField): Field {
  const field = { name, nullable: pointer };
  if (type.kind === 'list' && type.isMessage !== true)
    return { ...field, form: 'list', type: formOf(type.items) };
  if (type.kind === 'map') return { ...field, form: 'map', type: formOf(type.values) };
  return { ...field, form: 'one', type: formOf(type) };
}

/** A list type with a name of its own, such as v1.ExtraValue. */
const itemsMessage = ({ name, items }: ListType): Message =>
  new Message(name, () => [[1, { name: 'items', type: formOf(items), form: 'list', nullable: false }]], {
    toMessage: (value) => ({ items: value }),
    fromMessage: (message) => message['items'] ?? [],
  });

function formOf(type: GoType): ScalarForm | Message {
  switch (type.kind) {
    case 'struct':
      return messageOf(type);
    case 'lazy':
      return formOf(type.type());
    case 'choice': {
      const { fields, standIn } = type.message;
      return remembered(
        type,
        () => new Message(type.name, () => fieldsOf(Object.entries(fields).map(placed)), standIn),
      );
    }
    case 'list':
      if (type.isMessage === true) return remembered(type, () => itemsMessage(type));
      throw new Error(`${type.name} has no protobuf message`);
    case 'map':
      throw new Error(`${type.name} has no protobuf message`);
    default:
      return SCALARS[type.kind];
  }
}
