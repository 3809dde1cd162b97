// The form of every file in ops/.
import type { Op } from '../op/op.ts';
import type { OpReader } from './op-reader.ts';

export interface OpKind {
  /** Its key in the document. */
  readonly name: string;
  /** Undefined if something is wrong, which the reader has recorded. */
  parse(reader: OpReader): Op | readonly Op[] | undefined;
}
