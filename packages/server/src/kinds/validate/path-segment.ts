// Names that are a segment of a URL path: kinds, resources and names in references.

import { nameIsPathSegment } from '@instar/go';
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';
import { invalidFor } from './checks.ts';

/** Required, and usable as a segment. */
export const validatePathSegment = (text: string, path: FieldPath): FieldError[] =>
  text === '' ? [fieldErrors.required(path)] : invalidFor(path, text, nameIsPathSegment(text, false));
