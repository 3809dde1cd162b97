// The messages of a registry as CEL types. Each message type becomes an object type of its name; the
// well-known ones become their CEL equivalents: wrappers are nullable scalars, Value, Struct and ListValue
// are JSON, Any is what is packed in it.
import {
  create,
  type DescEnum,
  type DescExtension,
  type DescField,
  type DescMessage,
  type Message,
  type Registry,
} from '@bufbuild/protobuf';
import { isWrapperDesc } from '@bufbuild/protobuf/wkt';
import { CelError } from '../values/error.ts';
import { CelType, type HostAccess, type ObjectDeclaration, objectType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { listCodec, mapCodec } from './aggregate-codecs.ts';
import { anyCodec } from './any-codec.ts';
import { type Codec, notConvertible, nullable } from './codec.ts';
import { type EnumForm, intEnum, strongEnum } from './enum-codecs.ts';
import { listValueCodec, plainStructCodec, structCodec, valueCodec } from './json-codecs.ts';
import { MessageShape } from './message-shape.ts';
import { MessageValue } from './message-value.ts';
import { scalarCodec } from './scalar-codecs.ts';
import { durationCodec, timestampCodec } from './time-codecs.ts';

/** How messages are read. */
export interface ProtobufOptions {
  /** Whether enums are ints, as in cel-go and by default, or separate types. */
  readonly enums?: 'int' | 'strong';
}

interface MessageForm {
  /** Reads and writes messages of the type, the well-known ones included. */
  readonly codec: Codec;
  readonly type: CelType;
}

const structName = 'google.protobuf.Struct';

export class MessageTypes {
  readonly registry: Registry;
  private readonly options: ProtobufOptions;
  private readonly messages = new Map<string, MessageForm>();
  private readonly enums = new Map<string, EnumForm>();
  private readonly wellKnown: ReadonlyMap<string, Codec>;

  constructor(registry: Registry, options: ProtobufOptions = {}) {
    this.registry = registry;
    this.options = options;
    this.wellKnown = new Map([
      ['google.protobuf.Any', anyCodec(registry, (message) => this.valueOf(message))],
      ['google.protobuf.Duration', durationCodec],
      ['google.protobuf.ListValue', listValueCodec],
      [structName, structCodec],
      ['google.protobuf.Timestamp', timestampCodec],
      ['google.protobuf.Value', valueCodec],
    ]);
  }

  /** The value of a message of any type. A message whose type is not in the registry has none. */
  valueOf(message: Message): Value {
    const desc = this.registry.getMessage(message.$typeName);
    return desc === undefined
      ? new CelError(`unknown type: '${message.$typeName}'`)
      : this.message(desc).codec.read(message);
  }

  message(desc: DescMessage): MessageForm {
    let form = this.messages.get(desc.typeName);
    if (form === undefined) this.messages.set(desc.typeName, (form = this.formOf(desc)));
    return form;
  }

  enum(desc: DescEnum): EnumForm {
    let form = this.enums.get(desc.typeName);
    if (form === undefined)
      this.enums.set(
        desc.typeName,
        (form = this.options.enums === 'strong' ? strongEnum(desc) : intEnum(desc)),
      );
    return form;
  }

  private formOf(desc: DescMessage): MessageForm {
    const shape = new MessageShape(desc, this.registry, (field) => this.fieldCodec(field));
    const codec = this.wellKnown.get(desc.typeName) ?? (isWrapperDesc(desc) ? boxedCodec(desc) : undefined);
    if (codec === undefined) return objectForm(shape);
    const { kind, name, params, nullable: withNull } = codec.type;
    return { codec, type: new CelType(kind, name, params, withNull, declarationOf(shape, codec.read)) };
  }

  private fieldCodec(field: DescField | DescExtension): Codec {
    switch (field.fieldKind) {
      case 'scalar':
        return scalarCodec(field.scalar, field.longAsString);
      case 'enum':
        return this.enum(field.enum).codec;
      case 'message':
        return this.singularCodec(field.message, field);
      case 'list':
        return listCodec(this.elementCodec(field, field.listKind === 'scalar' && field.longAsString));
      case 'map':
        return mapCodec(field.mapKey, this.elementCodec(field, false));
    }
  }

  /** Wrappers are unwrapped in singular fields; within a oneof, a list or a map they are messages. */
  private singularCodec(desc: DescMessage, field: DescField | DescExtension): Codec {
    if (isWrapperDesc(desc) && field.oneof === undefined) return unboxedCodec(desc);
    return this.withinMessage(desc, field);
  }

  private elementCodec(
    field: Pick<DescField, 'scalar' | 'enum' | 'message'> & (DescField | DescExtension),
    longAsString: boolean,
  ): Codec {
    if (field.scalar !== undefined) return scalarCodec(field.scalar, longAsString);
    return field.enum !== undefined ? this.enum(field.enum).codec : this.withinMessage(field.message!, field);
  }

  private withinMessage(desc: DescMessage, field: DescField | DescExtension): Codec {
    const plain = desc.typeName === structName && field.parent?.typeName !== 'google.protobuf.Value';
    return plain ? plainStructCodec : this.message(desc).codec;
  }
}

function boxedCodec(desc: DescMessage): Codec {
  const { type, read, write, absent } = unboxedCodec(desc);
  const property = desc.fields[0]!.localName;
  return {
    type,
    read: (raw) => read((raw as Record<string, unknown>)[property]),
    write: (value) => {
      const raw = write(value);
      return raw === undefined || raw instanceof CelError
        ? raw
        : Object.assign(create(desc), { [property]: raw });
    },
    absent,
  };
}

function unboxedCodec(desc: DescMessage): Codec {
  const { type, read, write } = scalarCodec(desc.fields[0]!.scalar!);
  return {
    type: nullable(type),
    read,
    write: (value) => (value === null ? undefined : write(value)),
    absent: () => null,
  };
}

function objectForm(shape: MessageShape): MessageForm {
  const wrap = (raw: unknown): Value => new MessageValue(type, raw as Message, shape);
  const type = objectType(shape.desc.typeName, declarationOf(shape, wrap));
  const write = (value: Value): unknown => {
    if (value === null) return undefined;
    return value instanceof MessageValue && value.type.name === type.name
      ? value.raw
      : notConvertible(value, type);
  };
  return { type, codec: { type, read: wrap, write, absent: () => wrap(create(shape.desc)) } };
}

function declarationOf(shape: MessageShape, wrap: (raw: object) => Value): ObjectDeclaration {
  return {
    field: (name) => shape.field(name),
    fieldNames: () => shape.fields.keys(),
    access: accessOf(shape),
    wrap,
    create: (given) => {
      const message = shape.build(given);
      return message instanceof CelError ? message : wrap(message);
    },
  };
}

function accessOf(shape: MessageShape): HostAccess {
  return {
    get: (raw, key) => shape.field(key)?.rawOf(raw as Message),
    has: (raw, key) => shape.field(key)?.isSet(raw as Message) === true,
  };
}
