// One field of a message, or an extension of it: whether it is set, its raw value, its value in CEL.
import {
  type DescExtension,
  type DescField,
  getExtension,
  hasExtension,
  isFieldSet,
  type Message,
  setExtension,
} from '@bufbuild/protobuf';
import { equalValues } from '../values/equality.ts';
import { CelError } from '../values/error.ts';
import type { CelType, FieldDeclaration } from '../values/types.ts';
import type { Value } from '../values.ts';
import type { Codec } from './codec.ts';

type Properties = Record<string, unknown>;
type OneofProperty = { case: string | undefined; value?: unknown };

export abstract class MessageField implements FieldDeclaration {
  readonly codec: Codec;
  readonly read: (raw: unknown) => Value;
  private unset: Value | undefined;

  constructor(codec: Codec) {
    this.codec = codec;
    this.read = codec.read;
  }

  get type(): CelType {
    return this.codec.type;
  }

  /** Created on first use: a message may contain its own type. */
  get absent(): Value {
    this.unset ??= this.defaultValue();
    return this.unset;
  }

  protected defaultValue(): Value {
    return this.codec.absent();
  }

  abstract isSet(message: Message): boolean;
  abstract rawOf(message: Message): unknown;
  abstract assign(message: Message, raw: unknown): void;

  /** Sets the field of a message under construction; returns an error if the value does not match. */
  write(message: Message, value: Value): CelError | undefined {
    const raw = this.codec.write(value);
    if (raw instanceof CelError) return raw;
    if (raw !== undefined) this.assign(message, raw);
    return undefined;
  }

  same(a: Message, b: Message): boolean {
    const set = this.isSet(a);
    if (set !== this.isSet(b)) return false;
    if (!set) return true;
    const [left, right] = [this.rawOf(a), this.rawOf(b)];
    return this.codec.same === undefined
      ? equalValues(this.read(left), this.read(right))
      : this.codec.same(left, right);
  }
}

export class DeclaredField extends MessageField {
  private readonly desc: DescField;

  constructor(desc: DescField, codec: Codec) {
    super(codec);
    this.desc = desc;
  }

  protected override defaultValue(): Value {
    const { desc } = this;
    const declared =
      desc.fieldKind === 'scalar' || desc.fieldKind === 'enum' ? desc.getDefaultValue() : undefined;
    return declared === undefined ? super.defaultValue() : this.read(declared);
  }

  isSet(message: Message): boolean {
    return isFieldSet(message, this.desc);
  }

  rawOf(message: Message): unknown {
    const properties = message as unknown as Properties;
    const { oneof, localName } = this.desc;
    return oneof === undefined ? properties[localName] : (properties[oneof.localName] as OneofProperty).value;
  }

  assign(message: Message, raw: unknown): void {
    const properties = message as unknown as Properties;
    const { oneof, localName } = this.desc;
    if (oneof === undefined) properties[localName] = raw;
    else properties[oneof.localName] = { case: localName, value: raw } satisfies OneofProperty;
  }
}

/** An extension is read from the unknown fields of the message. */
export class ExtensionField extends MessageField {
  private readonly desc: DescExtension;

  constructor(desc: DescExtension, codec: Codec) {
    super(codec);
    this.desc = desc;
  }

  isSet(message: Message): boolean {
    return hasExtension(message, this.desc);
  }

  rawOf(message: Message): unknown {
    return getExtension(message, this.desc);
  }

  assign(message: Message, raw: unknown): void {
    setExtension(message, this.desc, raw as never);
  }
}
