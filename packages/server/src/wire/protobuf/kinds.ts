// The kinds that have a form in protobuf. Each is put here by the place that describes it.
import type { Message } from './message.ts';

const byVersionAndKind = new Map<string, Message>();
const byKind = new Map<string, Message>();

export function registerMessage(apiVersion: string, kind: string, message: Message): void {
  byVersionAndKind.set(`${apiVersion} ${kind}`, message);
}

/** Options are sent under the group of what they are about. */
export function registerForAnyVersion(kind: string, message: Message): void {
  byKind.set(kind, message);
}

/** Undefined for a kind that has no form in protobuf. */
export const messageOfKind = (apiVersion: string, kind: string): Message | undefined =>
  byVersionAndKind.get(`${apiVersion} ${kind}`) ?? byKind.get(kind);

/** By apiVersion and kind. */
export const registeredMessages = (): ReadonlyMap<string, Message> => byVersionAndKind;
