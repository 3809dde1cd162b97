// The object of a request in one version, with the old object, encoded at most once for all webhooks.

import { encodeUtf8 } from '@instar/go';
import {
  asJson,
  encodeJson,
  type GroupVersionKind,
  type JsonValue,
  type KubeObject,
  printApiVersion,
} from '@instar/machinery';
import type { AdmissionHost } from './host.ts';
import type { AdmissionSubject } from './subject.ts';

export class VersionedObject {
  readonly kind: GroupVersionKind;
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  #objectBytes: Uint8Array | undefined;
  #oldBytes: Uint8Array | undefined;

  constructor(
    kind: GroupVersionKind,
    object: KubeObject | undefined,
    old: KubeObject | undefined,
    oldBytes?: Uint8Array,
  ) {
    this.kind = kind;
    this.object = object;
    this.old = old;
    this.#oldBytes = oldBytes;
  }

  get objectBytes(): Uint8Array {
    this.#objectBytes ??= bytesOf(this.object);
    return this.#objectBytes;
  }

  get oldBytes(): Uint8Array {
    this.#oldBytes ??= bytesOf(this.old);
    return this.#oldBytes;
  }

  get objectValue(): JsonValue {
    return this.object === undefined ? null : asJson(this.object);
  }

  get oldValue(): JsonValue {
    return this.old === undefined ? null : asJson(this.old);
  }

  /** The same request with another object. */
  withObject(object: KubeObject): VersionedObject {
    return new VersionedObject(this.kind, object, this.old, this.#oldBytes);
  }
}

const bytesOf = (object: KubeObject | undefined): Uint8Array =>
  encodeUtf8(object === undefined ? 'null' : encodeJson(asJson(object)));

export const sameKind = (a: GroupVersionKind, b: GroupVersionKind): boolean =>
  a.kind === b.kind && a.version === b.version && a.group === b.group;

/** `object` is in the version of `from`, the old one in that of the request. */
export async function inVersion(
  kind: GroupVersionKind,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  from: GroupVersionKind,
  host: Pick<AdmissionHost, 'convert'>,
): Promise<VersionedObject> {
  const apiVersion = printApiVersion(kind);
  const { old } = subject;
  const converted =
    object === undefined || sameKind(kind, from) ? object : await host.convert(object, apiVersion);
  const convertedOld =
    old === undefined || sameKind(kind, subject.kind) ? old : await host.convert(old, apiVersion);
  return new VersionedObject(kind, converted, convertedOld);
}

/** The versions of an object that no longer changes: each is made once. */
export class ObjectVersions {
  readonly #subject: AdmissionSubject;
  readonly #object: KubeObject | undefined;
  readonly #host: Pick<AdmissionHost, 'convert'>;
  readonly #made = new Map<string, Promise<VersionedObject>>();

  constructor(
    subject: AdmissionSubject,
    object: KubeObject | undefined,
    host: Pick<AdmissionHost, 'convert'>,
  ) {
    this.#subject = subject;
    this.#object = object;
    this.#host = host;
  }

  in(kind: GroupVersionKind): Promise<VersionedObject> {
    const key = `${kind.group}/${kind.version}/${kind.kind}`;
    let made = this.#made.get(key);
    if (made === undefined) {
      made = inVersion(kind, this.#subject, this.#object, this.#subject.kind, this.#host);
      this.#made.set(key, made);
    }
    return made;
  }
}
