// What all files of a new project are made from.
import type { SampleCase } from '@instar/lens/proof';
import type { Style } from './answers.ts';

export interface Project {
  /** As in widgets-conversion. */
  readonly name: string;
  readonly style: Style;
  readonly image: string;
  /** The text of crd.yaml. */
  readonly crdText: string;
  readonly group: string;
  readonly kind: string;
  readonly plural: string;
  /** Names, oldest first. */
  readonly versions: readonly string[];
  /** The text of lens.yaml. */
  readonly lens: string;
  /** The functions between v1 and v2 of the example; undefined: versions differ in their name only. */
  readonly functions: string | undefined;
  readonly samples: readonly SampleCase[];
}

export interface ProjectFile {
  /** With slashes, relative to the project. */
  readonly path: string;
  readonly text: string;
}
