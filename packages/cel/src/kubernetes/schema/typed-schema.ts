/**
 * The CEL type of a declared schema and the reader of its values. Types of objects are named by their path
 * below `self`, and their fields are computed when an expression first uses them: a rule uses few of the
 * fields of a large schema.
 */
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  type FieldDeclaration,
  type HostReader,
  intType,
  listType,
  mapType,
  objectType,
  stringType,
  timestampType,
} from '../../values/types.ts';
import { CelError } from '../../values.ts';
import { isReservedWord } from '../escaping.ts';
import type { DeclaredKind, DeclaredType } from './declared-type.ts';
import { listReader, mapReader } from './read-container.ts';
import {
  readBoolean,
  readBytes,
  readDateString,
  readDateTimeString,
  readDurationString,
  readInteger,
  readIntOrString,
  readNumber,
  readString,
} from './read-scalar.ts';
import { wrapObject } from './schema-object.ts';

const nullError = new CelError('invalid data, got null for schema with nullable=false');

export interface TypedSchema {
  readonly type: CelType;
  readonly read: HostReader;
}

/** The CEL type of a declared type, under this name. */
export function typedSchema(declared: DeclaredType, name: string): TypedSchema {
  const typed = withoutNull(declared, name);
  return { type: typed.type, read: nullAware(typed.read, declared.schema.nullable === true) };
}

function nullAware(read: HostReader, nullable: boolean): HostReader {
  return (raw) => (raw === null ? (nullable ? null : nullError) : read(raw));
}

function withoutNull(declared: DeclaredType, name: string): TypedSchema {
  switch (declared.kind) {
    case 'dyn':
      return { type: dynType, read: readIntOrString };
    case 'list':
      return typedList(declared, typedSchema(declared.element!, `${name}.@idx`));
    case 'map':
      return typedMap(typedSchema(declared.element!, `${name}.@elem`));
    case 'object':
      return typedObject(declared, name);
    case 'string':
      return { type: stringType, read: readString };
    case 'bytes':
      return { type: bytesType, read: readBytes };
    case 'duration':
      return { type: durationType, read: readDurationString };
    case 'timestamp':
      return {
        type: timestampType,
        read: declared.schema.format === 'date' ? readDateString : readDateTimeString,
      };
    case 'bool':
      return { type: boolType, read: readBoolean };
    case 'double':
      return { type: doubleType, read: readNumber };
    case 'int':
      return { type: intType, read: readInteger };
  }
}

function typedList(declared: DeclaredType, element: TypedSchema): TypedSchema {
  return { type: listType(element.type), read: listReader(declared.schema, element.read) };
}

function typedMap(element: TypedSchema): TypedSchema {
  return { type: mapType(stringType, element.type), read: mapReader(element.read) };
}

function typedObject(declared: DeclaredType, name: string): TypedSchema {
  const known = new Map<string, FieldDeclaration>();
  const type = objectType(name, {
    field: (wanted) => known.get(wanted) ?? declareField(declared, name, wanted, known),
    fieldNames: () => declared.fields.keys(),
    nullIsAbsent: true,
    isMap: true,
    wrap: (raw) => wrapObject(type, raw, declared.schema),
  });
  return { type, read: (raw) => wrapObject(type, raw, declared.schema) };
}

/** Types that the engine itself reads in the same way, and faster. */
const readsAsJson: ReadonlySet<DeclaredKind> = new Set(['object', 'string', 'bool', 'int', 'double']);

/** A field whose name is a reserved word may also be written unescaped, where the grammar allows it. */
function declareField(
  declared: DeclaredType,
  name: string,
  wanted: string,
  known: Map<string, FieldDeclaration>,
): FieldDeclaration | undefined {
  const escaped = declared.fields.has(wanted) || !isReservedWord(wanted) ? wanted : `__${wanted}__`;
  const field = declared.fields.get(escaped);
  if (field === undefined) return undefined;
  const { type, read } = withoutNull(field.type, `${name}.${escaped}`);
  const declaration: FieldDeclaration = {
    type,
    key: field.property,
    ...(readsAsJson.has(field.type.kind) ? {} : { read }),
  };
  known.set(wanted, declaration);
  return declaration;
}
