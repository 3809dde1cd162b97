// gnostic's OpenAPIv3 messages, as far as our documents use them. The numbers are those of its
// OpenAPIv3.proto.
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

const reference = layout({ $ref: text(1), summary: text(2), description: text(3) });
const schemaOrReference = choice(
  isReference,
  message(2, () => reference),
  message(1, () => schema),
);
const asSchema = (field: number): FieldWriter => wrapped(field, schemaOrReference);

/** The message cannot hold defaults of other types, so they are left out. */
const scalarDefault: FieldWriter = (value, out) => {
  if (typeof value === 'number') out.message(33, () => out.double(1, value));
  else if (typeof value === 'boolean') out.message(33, () => out.bool(2, value));
  else if (typeof value === 'string') out.message(33, () => out.text(3, value));
};

const schema: MessageLayout = layout(
  {
    nullable: bool(1),
    externalDocs: message(6, () => layout({ description: text(1), url: text(2) })),
    example: anyValue(7),
    title: text(9),
    multipleOf: double(10),
    maximum: double(11),
    exclusiveMaximum: bool(12),
    minimum: double(13),
    exclusiveMinimum: bool(14),
    maxLength: integer(15),
    minLength: integer(16),
    pattern: text(17),
    maxItems: integer(18),
    minItems: integer(19),
    uniqueItems: bool(20),
    maxProperties: integer(21),
    minProperties: integer(22),
    required: repeated(text(23)),
    enum: repeated(anyValue(24)),
    type: text(25),
    allOf: repeated(asSchema(26)),
    oneOf: repeated(asSchema(27)),
    anyOf: repeated(asSchema(28)),
    not: message(29, () => schema),
    items: wrapped(30, asSchema(1)),
    properties: wrapped(31, named(1, asSchema(2))),
    additionalProperties: wrapped(32, choice(isJsonObject, asSchema(1), bool(2))),
    default: scalarDefault,
    description: text(34),
    format: text(35),
  },
  36,
);

const mediaType = layout({ schema: asSchema(1) });
const mediaTypes = (field: number): FieldWriter =>
  wrapped(
    field,
    named(
      1,
      message(2, () => mediaType),
    ),
  );
const requestBody = layout({ description: text(1), content: mediaTypes(2), required: bool(3) });
const response = layout({ description: text(1), content: mediaTypes(3) });
const parameter = layout({
  name: text(1),
  in: text(2),
  description: text(3),
  required: bool(4),
  schema: asSchema(10),
});
const parameters = (field: number): FieldWriter =>
  repeated(
    wrapped(
      field,
      message(1, () => parameter),
    ),
  );

const operation = layout(
  {
    tags: repeated(text(1)),
    summary: text(2),
    description: text(3),
    operationId: text(5),
    parameters: parameters(6),
    requestBody: wrapped(
      7,
      message(1, () => requestBody),
    ),
    responses: wrapped(
      8,
      named(
        2,
        wrapped(
          2,
          message(1, () => response),
        ),
      ),
    ),
  },
  13,
);

const asOperation = (field: number): FieldWriter => message(field, () => operation);
const pathItem = layout({
  get: asOperation(4),
  put: asOperation(5),
  post: asOperation(6),
  delete: asOperation(7),
  patch: asOperation(10),
  parameters: parameters(13),
});

const document = layout({
  openapi: text(1),
  info: message(2, () => layout({ title: text(1), version: text(6) })),
  paths: wrapped(
    4,
    named(
      1,
      message(2, () => pathItem),
    ),
  ),
  components: message(5, () => layout({ schemas: wrapped(1, named(1, asSchema(2))) })),
});

export function encodeDocumentV3(value: JsonObject): Buffer {
  const out = new BackwardWriter();
  writeMessage(value as JsonValue, document, out);
  return out.finish();
}
