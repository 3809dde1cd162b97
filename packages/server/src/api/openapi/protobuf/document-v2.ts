// gnostic's OpenAPIv2 messages, as far as our documents use them. The numbers are those of its
// OpenAPIv2.proto.
import { isJsonObject, type JsonObject, type JsonValue } from '@instar/machinery';
import { BackwardWriter } from '../../../wire/protobuf/backward-writer.ts';
import {
  anyValue,
  bool,
  choice,
  double,
  type FieldWriter,
  integer,
  isReference,
  layout,
  type MessageLayout,
  message,
  named,
  repeated,
  text,
  wrapped,
  writeMessage,
} from './message-layout.ts';

const isList = (value: JsonValue): boolean => Array.isArray(value);
const asSchema = (field: number): FieldWriter => message(field, () => schema);

const schema: MessageLayout = layout(
  {
    $ref: text(1),
    format: text(2),
    title: text(3),
    description: text(4),
    default: anyValue(5),
    multipleOf: double(6),
    maximum: double(7),
    exclusiveMaximum: bool(8),
    minimum: double(9),
    exclusiveMinimum: bool(10),
    maxLength: integer(11),
    minLength: integer(12),
    pattern: text(13),
    maxItems: integer(14),
    minItems: integer(15),
    uniqueItems: bool(16),
    maxProperties: integer(17),
    minProperties: integer(18),
    required: repeated(text(19)),
    enum: repeated(anyValue(20)),
    additionalProperties: wrapped(21, choice(isJsonObject, asSchema(1), bool(2))),
    type: wrapped(22, choice(isList, repeated(text(1)), text(1))),
    items: wrapped(23, choice(isList, repeated(asSchema(1)), asSchema(1))),
    allOf: repeated(asSchema(24)),
    properties: wrapped(25, named(1, asSchema(2))),
    externalDocs: message(29, () => layout({ description: text(1), url: text(2) })),
    example: anyValue(30),
  },
  31,
);

const jsonReference = layout({ $ref: text(1), description: text(2) });
const body = layout(
  { description: text(1), name: text(2), in: text(3), required: bool(4), schema: asSchema(5) },
  6,
);
const inQuery = layout(
  { required: bool(1), in: text(2), description: text(3), name: text(4), type: text(6), format: text(7) },
  23,
);
const inPath = layout(
  { required: bool(1), in: text(2), description: text(3), name: text(4), type: text(5), format: text(6) },
  22,
);

const isIn = (location: string) => (value: JsonValue) => (value as JsonObject)['in'] === location;
const nonBody = choice(
  isIn('query'),
  message(3, () => inQuery),
  message(4, () => inPath),
);
const parameter = choice(
  isIn('body'),
  message(1, () => body),
  wrapped(2, nonBody),
);
const parameterOrReference = (field: number): FieldWriter =>
  wrapped(
    field,
    choice(
      isReference,
      message(2, () => jsonReference),
      wrapped(1, parameter),
    ),
  );

const response = layout({ description: text(1), schema: wrapped(2, asSchema(1)) }, 5);
const operation = layout(
  {
    tags: repeated(text(1)),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    produces: repeated(text(6)),
    consumes: repeated(text(7)),
    parameters: repeated(parameterOrReference(8)),
    responses: wrapped(
      9,
      named(
        1,
        wrapped(
          2,
          message(1, () => response),
        ),
      ),
    ),
    schemes: repeated(text(10)),
    deprecated: bool(11),
  },
  13,
);

const asOperation = (field: number): FieldWriter => message(field, () => operation);
const pathItem = layout(
  {
    get: asOperation(2),
    put: asOperation(3),
    post: asOperation(4),
    delete: asOperation(5),
    patch: asOperation(8),
    parameters: repeated(parameterOrReference(9)),
  },
  10,
);

const info = layout({ title: text(1), version: text(2), description: text(3) }, 7);

/** The members of `paths`, each with its tag. */
const paths = named(
  2,
  message(2, () => pathItem),
);
const definitions = named(1, asSchema(2));
const head = layout({
  swagger: text(1),
  info: message(2, () => info),
  parameters: wrapped(10, named(1, wrapped(2, parameter))),
});

const encoded = (part: FieldWriter, value: JsonObject): Buffer => {
  const out = new BackwardWriter();
  part(value, out);
  return out.finish();
};

export const encodePathsV2 = (members: JsonObject): Buffer => encoded(paths, members);
export const encodeDefinitionsV2 = (members: JsonObject): Buffer => encoded(definitions, members);
/** Everything but paths and definitions. */
export const encodeHeadV2 = (document: JsonObject): Buffer =>
  encoded((value, out) => writeMessage(value, head, out), document);

const PATHS = 8;
const DEFINITIONS = 9;

/**
 * The beginning of the message that holds the paths or the definitions, whose parts follow with this many
 * bytes in total.
 */
export function openingV2(of: 'paths' | 'definitions', byteLength: number): Buffer {
  const bytes = [(of === 'paths' ? PATHS : DEFINITIONS) * 8 + 2];
  let rest = byteLength;
  for (; rest > 127; rest = Math.floor(rest / 128)) bytes.push((rest % 128) | 128);
  return Buffer.from([...bytes, rest]);
}
