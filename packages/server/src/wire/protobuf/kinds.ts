// The protobuf messages of kinds. Each is registered by the file that describes the kind.
import type { Message } from './message.ts';

const byVersionAndKind = new Map<string, Message>();
const byKind = new Map<string, Message>();

export function registerMessage(apiVersion: string, kind: string, message: Message): void {
  byVersionAndKind.set(`${apiVersion} ${kind}`, message);
}

/** For options, which are sent with the group of the resource that they are for. */
export function registerForAnyVersion(kind: string, message: Message): void {
  byKind.set(kind, message);
}

/** Undefined for a kind that has no protobuf message. */
export const messageOfKind = (apiVersion: string, kind: string): Message | undefined =>
  byVersionAndKind.get(`${apiVersion} ${kind}`) ?? byKind.get(kind);

/** By apiVersion and kind. */
export const registeredMessages = (): ReadonlyMap<string, Message> => byVersionAndKind;
