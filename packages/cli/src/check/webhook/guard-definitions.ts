// The answer of the webhook to a change of a definition. A breaking one is refused, warned about or only
// audited, depending on the mode. To make it anyway, set an annotation on the new definition that says why.
// Creating is always allowed.
import { check, compareSeverity, type Finding, type Severity } from '@instar/compat';
import { isJsonObject, type JsonObject } from '@instar/machinery';
import { type AdmissionFunction, type AdmissionVerdict, allow, deny } from '@instar/webhook';

export type GuardMode = 'deny' | 'warn' | 'audit';

export interface GuardOptions {
  readonly mode: GuardMode;
  /** Findings count from this severity on. */
  readonly failOn: Exclude<Severity, 'safe'>;
}

/** On the new definition, or on the old one if it is deleted; its value is the reason. */
export const ALLOW_ANNOTATION = 'instar.dev/allow-breaking-changes';
const MAX_SHOWN = 10;

export function guardDefinitions({ mode, failOn }: GuardOptions): AdmissionFunction {
  return ({ operation, object, oldObject, subResource }) => {
    if (oldObject === null || (operation !== 'UPDATE' && operation !== 'DELETE') || subResource)
      return allow();
    const found = check(oldObject, object ?? undefined).filter(
      ({ severity }) => compareSeverity(severity, failOn) <= 0,
    );
    if (found.length === 0) return allow();
    const reason = allowedBecause(object ?? oldObject);
    return reason === undefined
      ? verdict(found, mode)
      : allow({ auditAnnotations: { ...auditOf(found), 'allowed-because': reason } });
  };
}

function allowedBecause({ metadata }: JsonObject): string | undefined {
  const annotations = isJsonObject(metadata) ? metadata['annotations'] : undefined;
  const reason =
    isJsonObject(annotations) && Object.hasOwn(annotations, ALLOW_ANNOTATION)
      ? annotations[ALLOW_ANNOTATION]
      : undefined;
  return typeof reason === 'string' && reason !== '' ? reason : undefined;
}

function verdict(found: readonly Finding[], mode: GuardMode): AdmissionVerdict {
  const auditAnnotations = auditOf(found);
  switch (mode) {
    case 'audit':
      return allow({ auditAnnotations });
    case 'warn':
      return allow({ auditAnnotations, warnings: found.slice(0, MAX_SHOWN).map(lineOf) });
    case 'deny': {
      const causes = found.slice(0, MAX_SHOWN).map((finding) => ({
        reason: 'FieldValueInvalid',
        message: lineOf(finding),
        field: finding.path ?? '',
      }));
      const more = found.length > MAX_SHOWN ? ` (and ${found.length - MAX_SHOWN} more)` : '';
      const hint = `If it is intended, say why in the annotation ${ALLOW_ANNOTATION}.`;
      const message = `the change breaks users of ${found[0]!.crd}: ${found.slice(0, MAX_SHOWN).map(lineOf).join('; ')}${more}. ${hint}`;
      return deny(message, { code: 422, reason: 'Invalid', causes, auditAnnotations });
    }
  }
}

function lineOf({ rule, version, path, message }: Finding): string {
  const where = [version, path].filter((part) => part !== undefined && part !== '').join(' ');
  return `${where === '' ? '' : `${where}: `}${message} [${rule}]`;
}

function auditOf(found: readonly Finding[]): Record<string, string> {
  return {
    'breaking-changes': String(found.length),
    findings: found.slice(0, MAX_SHOWN).map(lineOf).join('; ').slice(0, 2000),
  };
}
