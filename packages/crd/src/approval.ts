// Groups that belong to Kubernetes: a definition in one must say where it was approved, or that it was not.

import { parseGoRequestUri, quoteGo } from '@instar/go';
import { type FieldError, FieldPath, fieldErrors } from '@instar/machinery';
import type { NewCondition } from './conditions.ts';
import type { CustomResourceDefinition } from './types.ts';

const ANNOTATION = 'api-approved.kubernetes.io';
const SEE = 'see https://github.com/kubernetes/enhancements/pull/1111';

type State = 'approved' | 'bypassed' | 'missing' | 'invalid';

interface Approval {
  readonly state: State;
  readonly message: string;
}

export function isProtectedGroup(group: string): boolean {
  return ['k8s.io', 'kubernetes.io'].some((domain) => group === domain || group.endsWith(`.${domain}`));
}

function approvalOf({ metadata }: CustomResourceDefinition): Approval {
  const text = annotationOf(metadata.annotations);
  const needed = `protected groups must have approval annotation ${quoteGo(ANNOTATION)}`;
  if (text === '') return { state: 'missing', message: `${needed}, ${SEE}` };
  if (text.startsWith('unapproved')) return { state: 'bypassed', message: `not approved: ${quoteGo(text)}` };
  const url = parseGoRequestUri(text);
  if (typeof url !== 'string' && url.host !== '' && url.scheme !== '')
    return { state: 'approved', message: `approved in ${text}` };
  return {
    state: 'invalid',
    message: `${needed} with either a URL or a reason starting with "unapproved", ${SEE}`,
  };
}

function annotationOf(annotations: Readonly<Record<string, string>> | undefined): string {
  return annotations !== undefined && Object.hasOwn(annotations, ANNOTATION) ? annotations[ANNOTATION]! : '';
}

const CONDITIONS: Readonly<Record<State, { readonly status: 'True' | 'False'; readonly reason: string }>> = {
  approved: { status: 'True', reason: 'ApprovedAnnotation' },
  bypassed: { status: 'False', reason: 'UnapprovedAnnotation' },
  missing: { status: 'False', reason: 'MissingAnnotation' },
  invalid: { status: 'False', reason: 'InvalidAnnotation' },
};

/** The KubernetesAPIApprovalPolicyConformant condition; none for other groups. */
export function approvalCondition(crd: CustomResourceDefinition): NewCondition | undefined {
  if (!isProtectedGroup(crd.spec.group)) return undefined;
  const { state, message } = approvalOf(crd);
  return { type: 'KubernetesAPIApprovalPolicyConformant', ...CONDITIONS[state], message };
}

/** An update that does not change the approval is never refused for it. */
export function validateApproval(
  crd: CustomResourceDefinition,
  old: CustomResourceDefinition | undefined,
): FieldError[] {
  if (!isProtectedGroup(crd.spec.group)) return [];
  const { state, message } = approvalOf(crd);
  if (old !== undefined && approvalOf(old).state === state) return [];
  const path = FieldPath.of('metadata', 'annotations').key(ANNOTATION);
  if (state === 'missing') return [fieldErrors.required(path, message)];
  return state === 'invalid'
    ? [fieldErrors.invalid(path, annotationOf(crd.metadata.annotations), message)]
    : [];
}
