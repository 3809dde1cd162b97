// What policies need of the server, and what they ask it before their expressions run: whether a binding
// matches, its parameters, the namespace of the request.
import type { JsonValue, KubeObject } from '@instar/machinery';
import type { AdmissionHost } from '../host.ts';
import type { AdmissionSubject } from '../subject.ts';
import { matchResources } from './match-resources.ts';
import type { BindingBase, ParamKind, ParamRef, PolicyBase } from './policy.ts';

/** What policies need of the server: parameters, namespaces, authorization. */
export interface PolicyHost extends AdmissionHost {
  /** Why objects of this kind cannot be read, if so. */
  paramKindFault(kind: ParamKind): string | undefined;
  /**
   * The objects that a binding refers to; null means none. Rejects with an Error that says what is wrong with
   * the reference.
   */
  params(kind: ParamKind, ref: ParamRef, namespace: string): Promise<readonly JsonValue[]>;
  /** Rejects with NotFound. */
  namespaceObject(name: string): Promise<JsonValue>;
}

export async function isBound(
  { match }: BindingBase,
  subject: AdmissionSubject,
  object: KubeObject | undefined,
  { namespaceLabels }: PolicyHost,
): Promise<boolean> {
  return match === undefined || (await matchResources(match, subject, object, namespaceLabels)) !== undefined;
}

/** Without parameters a policy runs once, with null. Rejects if they are missing and must not be. */
export async function paramsOf(
  { paramKind }: PolicyBase,
  { paramRef }: BindingBase,
  { namespace }: AdmissionSubject,
  host: PolicyHost,
): Promise<readonly JsonValue[]> {
  if (paramKind === undefined || paramRef === undefined) return [null];
  const found = await host.params(paramKind, paramRef, namespace);
  if (found.length === 0 && paramRef.parameterNotFoundAction === 'Deny')
    throw new Error('no params found for policy binding with `Deny` parameterNotFoundAction');
  return found;
}

/** Null for what is in no namespace, and for namespaces themselves. */
export async function namespaceOf(
  { namespace, kind }: AdmissionSubject,
  host: PolicyHost,
): Promise<JsonValue> {
  const isNamespace = kind.kind === 'Namespace' && kind.group === '' && kind.version === 'v1';
  return namespace === '' || isNamespace ? null : host.namespaceObject(namespace);
}
