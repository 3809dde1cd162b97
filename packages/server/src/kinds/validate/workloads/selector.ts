// The label selectors of workloads, and the labels of their templates.
import {
  type FieldError,
  type FieldPath,
  fieldErrors,
  type JsonValue,
  type LabelSelector,
  type LabelSelectorObject,
  labelSelectorFromObject,
  SelectorError,
  validateLabelSelectorObject,
} from '@instar/machinery';
import { goText } from '../go-text.ts';
import type { PodTemplateSpec } from '../pod/pod-types.ts';
import { validatePodTemplateSpec } from '../pod-spec.ts';

/** Undefined if it is invalid, which is reported elsewhere. */
export function selectorOrUndefined(object: LabelSelectorObject | undefined): LabelSelector | undefined {
  try {
    return labelSelectorFromObject(object);
  } catch (error) {
    if (error instanceof SelectorError) return undefined;
    throw error;
  }
}

/** A selector that must exist and must not be empty. `kind` is the word of the message. */
export function validateRequiredSelector(
  selector: LabelSelectorObject | undefined | null,
  kind: string,
  path: FieldPath,
): FieldError[] {
  if (selector == null) return [fieldErrors.required(path)];
  const errors = validateLabelSelectorObject(selector, path);
  const count = Object.keys(selector.matchLabels ?? {}).length + (selector.matchExpressions ?? []).length;
  if (count > 0) return errors;
  return [...errors, invalidSelector(selector, `empty selector is invalid for ${kind}`, path)];
}

/** Selectors print in the order of their fields. */
export const invalidSelector = (
  selector: LabelSelectorObject,
  detail: string,
  path: FieldPath,
): FieldError => ({
  ...fieldErrors.invalid(path, selector as unknown as JsonValue, detail),
  valueText: goText(selector),
});

/** The labels of a template, of which a selector must select all pods. */
export function validateTemplateLabels(
  selector: LabelSelector,
  { metadata }: PodTemplateSpec,
  path: FieldPath,
): FieldError[] {
  const labels = metadata?.labels;
  if (selector.matches(labels)) return [];
  const rule = '`selector` does not match template `labels`';
  return [fieldErrors.invalid(path.child('metadata', 'labels'), labels ? { ...labels } : null, rule)];
}

/** A template whose pods run forever. `kind` is the word of the message. */
export function validateRunningTemplate(
  template: PodTemplateSpec,
  kind: string,
  path: FieldPath,
): FieldError[] {
  return [...validatePodTemplateSpec(template, path), ...validateRunsForever(template, kind, path)];
}

export function validateRunsForever({ spec }: PodTemplateSpec, kind: string, path: FieldPath): FieldError[] {
  const errors: FieldError[] = [];
  const { restartPolicy = '', activeDeadlineSeconds } = spec;
  const at = path.child('spec');
  if (restartPolicy !== 'Always')
    errors.push(fieldErrors.notSupported(at.child('restartPolicy'), restartPolicy, ['Always']));
  if (activeDeadlineSeconds !== undefined) {
    const rule = `activeDeadlineSeconds in ${kind} is not Supported`;
    errors.push(fieldErrors.forbidden(at.child('activeDeadlineSeconds'), rule));
  }
  return errors;
}
