// What may change in the spec of a Job: little, unless it is suspended.
import { deepCopy, type FieldError, fieldErrors, type JsonValue } from '@instar/machinery';
import { validateImmutable } from '../amounts.ts';
import { goText } from '../go-text.ts';
import { internalText } from '../pod/internal-json.ts';
import type { PodSpec, PodTemplateSpec } from '../pod/pod-types.ts';
import { SPEC, validateJobSpec } from './job.ts';
import { INDEXED, type Job, type JobSpec } from './job-types.ts';

/** Follows the validation of the new Job, and repeats that of its spec, as upstream does. */
export function validateJobUpdate(job: Job, old: Job): FieldError[] {
  const { spec } = job;
  const immutable = (name: keyof JobSpec): FieldError[] =>
    validateImmutable(spec[name], old.spec[name], SPEC.child(name), policyText(spec, name));
  return [
    ...validateJobSpec(spec, SPEC),
    ...validateCompletions(spec, old.spec),
    ...immutable('selector'),
    ...validateTemplateUpdate(spec, old),
    ...immutable('completionMode'),
    ...immutable('podFailurePolicy'),
    ...immutable('backoffLimitPerIndex'),
    ...immutable('managedBy'),
    ...immutable('successPolicy'),
  ];
}

/** Policies have no JSON names upstream. */
function policyText(spec: JobSpec, name: keyof JobSpec): string | undefined {
  if (name === 'podFailurePolicy') return internalText('batch/v1.PodFailurePolicy', spec[name]);
  return name === 'successPolicy' ? internalText('batch/v1.SuccessPolicy', spec[name]) : undefined;
}

/** The metadata is embedded in a template, and has names; the spec has none. */
function templateText({ metadata = {}, spec }: PodTemplateSpec): string {
  const members = goText(metadata).slice(1, -1);
  return `{${members}${members === '' ? '' : ','}"Spec":${internalText('core/v1.PodSpec', spec)}}`;
}

function validateCompletions(spec: JobSpec, old: JobSpec): FieldError[] {
  const path = SPEC.child('completions');
  if (spec.completionMode !== INDEXED) return validateImmutable(spec.completions, old.completions, path);
  const { completions, parallelism } = spec;
  if (completions === old.completions || completions === undefined || completions === parallelism) return [];
  return [fieldErrors.invalid(path, completions, 'can only be modified in tandem with spec.parallelism')];
}

/** A suspended Job that has no pods: its template may still be changed in part. */
function isAtRest({ spec, status }: Job): boolean {
  const isSuspended = (status.conditions ?? []).some(
    (condition) => condition.type === 'Suspended' && condition.status === 'True',
  );
  return (
    spec.suspend === true && (status.startTime === undefined || isSuspended) && (status.active ?? 0) === 0
  );
}

function validateTemplateUpdate({ template }: JobSpec, old: Job): FieldError[] {
  const path = SPEC.child('template');
  if (!isAtRest(old)) return validateImmutable(template, old.spec.template, path, templateText(template));
  const allowed = withScheduling(old.spec.template, template);
  withResources(allowed.spec, template.spec);
  const text = internalText('core/v1.PodSpec', template.spec);
  return validateImmutable(template.spec, allowed.spec, path.child('spec'), text);
}

/** A copy of the old template with what the new one says about where its pods run. */
function withScheduling(old: PodTemplateSpec, template: PodTemplateSpec): PodTemplateSpec {
  const copy = deepCopy(old as unknown as JsonValue) as unknown as PodTemplateSpec;
  const { spec } = copy;
  const wanted = template.spec.affinity?.nodeAffinity;
  const { nodeAffinity: _, ...rest } = spec.affinity ?? {};
  if (template.spec.affinity === undefined) {
    if (Object.keys(rest).length === 0) delete spec.affinity;
    else spec.affinity = rest;
  } else spec.affinity = { ...rest, ...(wanted !== undefined && { nodeAffinity: wanted }) };
  for (const name of ['nodeSelector', 'tolerations', 'schedulingGates'] as const) {
    const value = template.spec[name];
    if (value === undefined) delete spec[name];
    else Object.assign(spec, { [name]: value });
  }
  return copy;
}

/** Takes over the resources of containers that have kept their names. */
function withResources(old: PodSpec, spec: PodSpec): void {
  for (const list of ['containers', 'initContainers'] as const) {
    const [before, after] = [old[list] ?? [], spec[list] ?? []];
    if (before.length !== after.length) continue;
    before.forEach((container, index) => {
      if (container.name === after[index]!.name) container.resources = after[index]!.resources;
    });
  }
}
