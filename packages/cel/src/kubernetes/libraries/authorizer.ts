// The library of authorization checks:
// authorizer.group('apps').resource('deployments').check('get').allowed() and similar. The host decides: its
// function is injected with the value of the `authorizer` variable. Selectors are passed unparsed.

import { validateDns1123Label, validateDns1123Subdomain } from '@instar/go';
import { functionOf, type Library, memberOverload } from '../../extension.ts';
import { boolType, type CelType, opaqueType, stringType } from '../../values/types.ts';
import { CelError, Opaque, type Value } from '../../values.ts';

interface ServiceAccount {
  readonly namespace: string;
  readonly name: string;
}

/** The resource of a check. Empty strings are for what was not specified. */
interface CheckedResource {
  readonly group: string;
  readonly resource: string;
  readonly subresource: string;
  readonly namespace: string;
  readonly name: string;
  readonly fieldSelector: string;
  readonly labelSelector: string;
}

/** What an expression asks the authorizer. */
export interface AuthorizationCheck {
  /** Whose permissions are checked; undefined means the user of the request. */
  readonly serviceAccount: ServiceAccount | undefined;
  readonly verb: string;
  readonly target: { readonly path: string } | CheckedResource;
}

/** What the authorizer answered. */
export interface AuthorizationDecision {
  readonly allowed: boolean;
  readonly reason: string;
  readonly error?: string;
}

/** Synchronous: expressions cannot wait. */
export type Authorize = (check: AuthorizationCheck) => AuthorizationDecision;

/** The type of the variable `authorizer`. */
export const authorizerType = opaqueType('kubernetes.authorization.Authorizer');
export const pathCheckType = opaqueType('kubernetes.authorization.PathCheck');
export const groupCheckType = opaqueType('kubernetes.authorization.GroupCheck');

/** The type of the variable `authorizer.requestResource`. */
export const resourceCheckType = opaqueType('kubernetes.authorization.ResourceCheck');
export const decisionType = opaqueType('kubernetes.authorization.Decision');

interface Asker {
  readonly authorize: Authorize;
  readonly serviceAccount: ServiceAccount | undefined;
}

/** A value of this library, which only its functions can read. */
class AuthorizationValue<Content> extends Opaque {
  readonly type: CelType;
  readonly content: Content;

  constructor(type: CelType, content: Content) {
    super();
    this.type = type;
    this.content = content;
  }

  equals(other: Value): boolean {
    return this === other;
  }
}

type GroupContent = Asker & { readonly group: string };
type ResourceContent = Asker & { readonly resource: CheckedResource };
type PathContent = Asker & { readonly path: string };

/** The value of the variable `authorizer`. */
export function authorizerValue(authorize: Authorize): Value {
  return new AuthorizationValue<Asker>(authorizerType, { authorize, serviceAccount: undefined });
}

/** The value of `authorizer.requestResource`: a check of the resource of the request itself. */
export function resourceAuthorizerValue(authorize: Authorize, resource: CheckedResource): Value {
  return new AuthorizationValue<ResourceContent>(resourceCheckType, {
    authorize,
    serviceAccount: undefined,
    resource,
  });
}

const contentOf = <Content>(value: Value): Content => (value as AuthorizationValue<Content>).content;
const isBlank = (text: Value): boolean => (text as string).trim() === '';

function path(authorizer: Value, text: Value): Value {
  if (isBlank(text)) return new CelError('path must not be empty');
  return new AuthorizationValue<PathContent>(pathCheckType, {
    ...contentOf<Asker>(authorizer),
    path: text as string,
  });
}

function serviceAccount(authorizer: Value, namespace: Value, name: Value): Value {
  if (validateDns1123Subdomain(name as string).length > 0)
    return new CelError('Invalid service account name');
  if (validateDns1123Label(namespace as string).length > 0)
    return new CelError('Invalid service account namespace');
  const { authorize } = contentOf<Asker>(authorizer);
  const account = { namespace: namespace as string, name: name as string };
  return new AuthorizationValue<Asker>(authorizerType, { authorize, serviceAccount: account });
}

function resource(group: Value, text: Value): Value {
  if (isBlank(text)) return new CelError('resource must not be empty');
  const content = contentOf<GroupContent>(group);
  const unsaid = { subresource: '', namespace: '', name: '', fieldSelector: '', labelSelector: '' };
  return new AuthorizationValue<ResourceContent>(resourceCheckType, {
    ...content,
    resource: { ...unsaid, group: content.group, resource: text as string },
  });
}

function refinement(name: keyof CheckedResource, id: string) {
  return functionOf(
    name,
    memberOverload(id, [resourceCheckType, stringType], resourceCheckType, (check, text) => {
      const content = contentOf<ResourceContent>(check);
      return new AuthorizationValue<ResourceContent>(resourceCheckType, {
        ...content,
        resource: { ...content.resource, [name]: text },
      });
    }),
  );
}

function decide(
  { authorize, serviceAccount }: Asker,
  verb: Value,
  target: AuthorizationCheck['target'],
): Value {
  return new AuthorizationValue(decisionType, authorize({ serviceAccount, verb: verb as string, target }));
}

function answer<Result extends Value>(
  name: string,
  type: CelType,
  read: (decision: AuthorizationDecision) => Result,
) {
  return functionOf(
    name,
    memberOverload(`decision_${name}`, [decisionType], type, (decision) =>
      read(contentOf<AuthorizationDecision>(decision)),
    ),
  );
}

export const authorizerLibrary: Library = {
  name: 'kubernetes.authz',
  functions: [
    functionOf('path', memberOverload('authorizer_path', [authorizerType, stringType], pathCheckType, path)),
    functionOf(
      'group',
      memberOverload(
        'authorizer_group',
        [authorizerType, stringType],
        groupCheckType,
        (authorizer, group) =>
          new AuthorizationValue<GroupContent>(groupCheckType, {
            ...contentOf<Asker>(authorizer),
            group: group as string,
          }),
      ),
    ),
    functionOf(
      'serviceAccount',
      memberOverload(
        'authorizer_serviceaccount',
        [authorizerType, stringType, stringType],
        authorizerType,
        serviceAccount,
      ),
    ),
    functionOf(
      'resource',
      memberOverload('groupcheck_resource', [groupCheckType, stringType], resourceCheckType, resource),
    ),
    refinement('subresource', 'resourcecheck_subresource'),
    refinement('namespace', 'resourcecheck_namespace'),
    refinement('name', 'resourcecheck_name'),
    refinement('fieldSelector', 'authorizer_fieldselector'),
    refinement('labelSelector', 'authorizer_labelselector'),
    functionOf(
      'check',
      memberOverload('pathcheck_check', [pathCheckType, stringType], decisionType, (check, verb) => {
        const content = contentOf<PathContent>(check);
        return decide(content, verb, { path: content.path });
      }),
      memberOverload('resourcecheck_check', [resourceCheckType, stringType], decisionType, (check, verb) => {
        const content = contentOf<ResourceContent>(check);
        return decide(content, verb, content.resource);
      }),
    ),
    answer('errored', boolType, (decision) => decision.error !== undefined),
    answer('error', stringType, (decision) => decision.error ?? ''),
    answer('allowed', boolType, (decision) => decision.allowed),
    answer('reason', stringType, (decision) => decision.reason),
  ],
};
