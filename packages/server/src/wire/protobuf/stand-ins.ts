// Messages that in JSON are no objects with those fields, but a value that stands for them: a list of texts,
// a schema or a boolean.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';

export interface StandIn {
  /** The fields of the message that the value stands for. */
  toMessage(value: JsonValue): JsonObject;
  fromMessage(message: JsonObject): JsonValue;
}

const texts: StandIn = {
  toMessage: (value) => ({ items: value }),
  fromMessage: ({ items = [] }) => items,
};

/** One schema, or a list under another name. */
const schemaOr = (list: string): StandIn => ({
  toMessage: (value) => (Array.isArray(value) ? { [list]: value } : { schema: value }),
  fromMessage: (message) => message[list] ?? message['schema'] ?? null,
});

export const STAND_INS: ReadonlyMap<string, StandIn> = new Map([
  ['ExtraValue', texts],
  ['Verbs', texts],
  ['JSONSchemaPropsOrArray', schemaOr('schemas')],
  ['JSONSchemaPropsOrStringArray', schemaOr('texts')],
  [
    'JSONSchemaPropsOrBool',
    {
      toMessage: (value) => (isJsonObject(value) ? { allows: true, schema: value } : { allows: value }),
      fromMessage: ({ allows = false, schema }) => schema ?? allows,
    },
  ],
]);
