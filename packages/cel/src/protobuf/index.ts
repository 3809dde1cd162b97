/**
 * Protocol buffers in CEL, for hosts that use @bufbuild/protobuf: the messages and enums of a registry as
 * types and constants; messages are read in place and created by expressions. The core does not depend on it.
 */
import type { DescEnum, DescMessage, Message, Registry } from '@bufbuild/protobuf';
import type { Library } from '../extension.ts';
import type { CelType } from '../values/types.ts';
import type { Value } from '../values.ts';
import { extensionMacros } from './extension-macros.ts';
import { MessageTypes, type ProtobufOptions } from './message-types.ts';

export { EnumValue } from './enum-codecs.ts';
export type { ProtobufOptions } from './message-types.ts';
export { MessageValue } from './message-value.ts';

/** The messages of a registry as types and values of CEL. */
export interface Protobuf {
  /** Types, enum constants and macros, for an Environment. */
  readonly library: Library;
  /**
   * The type to declare a variable with that holds a message; the host then passes the message itself.
   */
  type(name: string): CelType | undefined;
  /** A message as a value, for variables without a declared type. */
  valueOf(message: Message): Value;
}

/** Makes the messages of a registry usable in expressions. */
export function protobuf(registry: Registry, options: ProtobufOptions = {}): Protobuf {
  const types = new MessageTypes(registry, options);
  const find = (name: string): CelType | undefined => {
    const desc = registry.getMessage(name);
    return desc === undefined ? undefined : types.message(desc).type;
  };
  return { library: libraryOf(types), type: find, valueOf: (message) => types.valueOf(message) };
}

function libraryOf(types: MessageTypes): Library {
  const all = [...types.registry];
  const messages = all.filter((desc): desc is DescMessage => desc.kind === 'message');
  const enums = all.filter((desc): desc is DescEnum => desc.kind === 'enum').map((desc) => types.enum(desc));
  return {
    name: 'protobuf',
    types: enums.flatMap(({ type }) => type ?? []),
    typeNames: Object.fromEntries(messages.map((desc) => [desc.typeName, types.message(desc).type])),
    constants: enums.flatMap(({ constants }) => constants),
    functions: enums.flatMap(({ functions }) => functions),
    macros: extensionMacros,
  };
}
