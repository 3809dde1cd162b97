// What every write needs besides the object: who writes, to what, how. The services of the server are passed
// with it, so that write/ has no state.
import type { JsonObject, JsonValue, KubeObject } from '@instar/machinery';
import type { AuditTrail } from '../../wire/exchange.ts';
import type { VersionDefinition, WriteContext } from '../definition.ts';
import type { ConversionWait } from '../forms/conversion-wait.ts';
import type { Resource } from '../resource.ts';
import type { TimeSlice } from '../time-slice.ts';
import type { ConversionMemo } from './conversion-memo.ts';

/** The admission chain as the write path sees it. Objects are in the version of the request. */
export interface Admission {
  /** May change `object` in place or return another. Throws to deny. */
  mutate(operation: AdmissionOperation): Promise<KubeObject | undefined>;
  /** Throws to deny. */
  validate(operation: AdmissionOperation): Promise<void>;
}

export interface AdmissionOperation {
  readonly operation: 'CREATE' | 'UPDATE' | 'DELETE';
  readonly object: KubeObject | undefined;
  readonly old: KubeObject | undefined;
  readonly write: WriteRequest;
  readonly options: OperationOptions;
  /**
   * If the object is not of the resource's own kind (a Scale): decodes the result of a patch. Throws if it is
   * invalid.
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
   * nothing is converted. Neither admission nor the answer may depend on the version then.
   */
  readonly asStored?: boolean;
  readonly namespace: string;
  /** The name in the path; empty for a create. */
  readonly name: string;
  /** One of a collection that is deleted: the request names no object. */
  readonly ofCollection?: boolean;
  /** The field manager: as given, or derived from the user agent. */
  readonly manager: string;
  /** Milliseconds, as Date.now(). */
  readonly now: number;
  readonly admission: Admission;
  /** Texts for Warning headers. */
  readonly warnings: string[];
  /** Undefined: the request is not audited. */
  readonly audit?: AuditTrail | undefined;
  readonly waited?: ConversionWait;
  /** Large objects take longer than one slice: the steps of a write yield between each other. */
  readonly slice?: TimeSlice;
  /** Set if a webhook converts. */
  readonly conversions?: ConversionMemo | undefined;
  /**
   * True if the client has disconnected. A function rather than a getter, which would cost every request; the
   * signal behind it is made on the first call.
   */
  readonly isAborted: () => boolean;
}
