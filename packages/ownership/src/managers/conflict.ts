// Conflicts of an apply: fields that it would change and others own.

import { compareUtf8, quoteGo } from '@instar/go';
import { type ApiError, apiErrors, type StatusCause } from '@instar/machinery';
import { pathText } from '../fieldset/element.ts';
import type { FieldSet } from '../fieldset/field-set.ts';
import { pathsOf } from '../fieldset/paths.ts';
import { type Owner, upstreamIdentityOf } from './entry.ts';

export interface Conflict {
  readonly owner: Owner;
  readonly path: readonly string[];
}

/** One for each field of each owner; owners in the order in which messages name them. */
export function conflictsOf(found: readonly { owner: Owner; set: FieldSet }[]): Conflict[] {
  return found
    .toSorted((a, b) => compareUtf8(upstreamIdentityOf(a.owner), upstreamIdentityOf(b.owner)))
    .flatMap(({ owner, set }) => pathsOf(set).map((path) => ({ owner, path })));
}

/** The answer to an apply with conflicts: 409 with a cause per field. */
export function conflictError(conflicts: readonly Conflict[]): ApiError {
  const causes: StatusCause[] = conflicts.map(({ owner, path }) => ({
    reason: 'FieldManagerConflict',
    message: `conflict with ${ownerText(owner)}`,
    field: pathText(path),
  }));
  return apiErrors.applyConflict(causes, messageOf(conflicts));
}

function messageOf(conflicts: readonly Conflict[]): string {
  const [first, ...others] = conflicts;
  if (first !== undefined && others.length === 0) {
    return `Apply failed with 1 conflict: conflict with ${ownerText(first.owner)}: ${pathText(first.path)}`;
  }
  const lines: string[] = [];
  let last: Owner | undefined;
  for (const { owner, path } of conflicts) {
    if (owner !== last) lines.push(`conflicts with ${ownerText(owner)}:`);
    last = owner;
    lines.push(`- ${pathText(path)}`);
  }
  return `Apply failed with ${conflicts.length} conflicts: ${lines.join('\n')}`;
}

function ownerText({ manager, subresource, operation, apiVersion }: Owner): string {
  const name =
    quoteGo(manager ?? '') + (subresource === undefined ? '' : ` with subresource ${quoteGo(subresource)}`);
  return operation === 'Update' ? `${name} using ${apiVersion}` : name;
}
