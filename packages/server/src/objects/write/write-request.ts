// What every write needs besides the object: who writes, to what, how. The server's services come with it, so
// that write/ holds no state.
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { VersionDefinition, WriteContext } from '../definition.ts';
import type { Waited } from '../forms/waited.ts';
import type { Resource } from '../resource.ts';
import type { ConversionMemo } from './conversion-memo.ts';

/** The admission chain as the write path sees it. Objects are in the version of the request. */
export interface Admission {
  /** May change `object` in place or give back another. Throws to refuse. */
  mutate(operation: AdmissionOperation): Promise<KubeObject | undefined>;
  /** Throws to refuse. */
  validate(operation: AdmissionOperation): Promise<void>;
}

export interface AdmissionOperation {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly write: WriteRequest;
  readonly options: OperationOptions;
  /**
   * Where the object is not of the resource's own kind (a Scale): how the outcome of a patch is read. Throws
   * what is wrong with it.
   */
  readonly decode?: (patched: JsonValue) => KubeObject;
}

export interface OperationOptions {
  /** The options as the client gave them, without kind and apiVersion. */
  readonly given?: JsonObject;
}

export interface WriteRequest extends WriteContext {
  readonly resource: Resource;
  readonly version: VersionDefinition;
  /**
   * For deletions by the server itself: the object is taken in the version in which it is stored, so that
   * nothing needs to be converted. Neither admission nor the answer may depend on the version then.
   */
  readonly asStored?: boolean;
  readonly namespace: string;
  /** The name in the path; empty for a create. */
  readonly name: string;
  /** One of a collection that is deleted: the request names no object. */
  readonly ofCollection?: boolean;
  /** The field manager: as given, or taken from the user agent. */
  readonly manager: string;
  /** Milliseconds, as Date.now(). */
  readonly now: number;
  readonly admission: Admission;
  /** Texts for Warning headers. */
  readonly warnings: string[];
  readonly waited?: Waited;
  /** Where a webhook converts: what it has been asked already. */
  readonly conversions?: ConversionMemo | undefined;
  /**
   * Whether nobody waits for the outcome any more. A function rather than a getter, which V8 makes every
   * request pay for; what it asks is made when it is first asked.
   */
  readonly isAborted: () => boolean;
}
