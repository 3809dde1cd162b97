// A message type: its fields by name, its extensions, and how its messages are created and compared.
import {
  create,
  type DescExtension,
  type DescField,
  type DescMessage,
  type Message,
  type Registry,
} from '@bufbuild/protobuf';
import { work } from '../meter.ts';
import { CelError } from '../values/error.ts';
import type { Value } from '../values.ts';
import type { Codec } from './codec.ts';
import { DeclaredField, ExtensionField, type MessageField } from './message-field.ts';
import { sameUnknown } from './unknown-fields.ts';

type CodecOfField = (field: DescField | DescExtension) => Codec;

export class MessageShape {
  readonly desc: DescMessage;
  readonly registry: Registry;
  private readonly codecOf: CodecOfField;
  private declared: ReadonlyMap<string, MessageField> | undefined;
  private readonly extensions = new Map<string, MessageField | undefined>();

  constructor(desc: DescMessage, registry: Registry, codecOf: CodecOfField) {
    this.desc = desc;
    this.registry = registry;
    this.codecOf = codecOf;
  }

  /** Created on first use, so that types may refer to each other. */
  get fields(): ReadonlyMap<string, MessageField> {
    this.declared ??= new Map(
      this.desc.fields.map((field) => [field.name, new DeclaredField(field, this.codecOf(field))]),
    );
    return this.declared;
  }

  field(name: string): MessageField | undefined {
    return this.fields.get(name) ?? (name.includes('.') ? this.extension(name) : undefined);
  }

  private extension(name: string): MessageField | undefined {
    if (!this.extensions.has(name)) {
      const desc = this.registry.getExtension(name);
      const extends_ = desc?.extendee.typeName === this.desc.typeName;
      this.extensions.set(name, extends_ ? new ExtensionField(desc, this.codecOf(desc)) : undefined);
    }
    return this.extensions.get(name);
  }

  build(given: ReadonlyMap<string, Value>): Message | CelError {
    const message = create(this.desc);
    for (const [name, value] of given) {
      const field = this.field(name);
      const error =
        field === undefined ? new CelError(`no such field '${name}'`) : field.write(message, value);
      if (error !== undefined) return error;
    }
    return message;
  }

  same(a: Message, b: Message): boolean {
    for (const field of this.fields.values()) {
      work(1);
      if (!field.same(a, b)) return false;
    }
    return sameUnknown(a, b, (number) => this.extensionOf(number));
  }

  private extensionOf(number: number): MessageField | undefined {
    const desc = this.registry.getExtensionFor(this.desc, number);
    return desc === undefined ? undefined : this.field(desc.typeName);
  }
}
