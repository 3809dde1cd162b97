// What the authorizer has to say about a write beyond the verb of its request: that it grants nothing that
// the user lacks, and that a PUT or PATCH that creates an object is also allowed as a create.
import type { KubeObject } from '@instar/machinery';
import { ALWAYS_ALLOW, type Authorizer } from '../../api/auth/authorizer.ts';
import { forbidden } from '../../api/auth/forbidden.ts';
import type { RoleIndex } from '../../api/auth/rbac/role-index.ts';
import type { Admission, AdmissionOperation } from '../../objects/write/write-request.ts';
import { EscalationCheck, userOf } from './escalation.ts';

export function withAuthorization(inner: Admission, authorizer: Authorizer, index: RoleIndex): Admission {
  if (authorizer === ALWAYS_ALLOW) return inner;
  const escalation = new EscalationCheck(index, authorizer);
  return {
    async mutate(operation) {
      const mutated = await inner.mutate(operation);
      const object: KubeObject | undefined = mutated ?? operation.object;
      if (object !== undefined && operation.operation !== 'DELETE') await escalation.check(operation, object);
      return mutated;
    },
    async validate(operation) {
      if (isCreatedByUpdate(operation)) await authorizeCreate(operation, authorizer);
      return inner.validate(operation);
    },
  };
}

/** A POST names no object in its path. */
const isCreatedByUpdate = ({ operation, write }: AdmissionOperation): boolean =>
  operation === 'CREATE' && write.name !== '';

async function authorizeCreate({ write }: AdmissionOperation, authorizer: Authorizer): Promise<void> {
  const { group, version } = write.version;
  const attributes = {
    user: userOf(write),
    verb: 'create',
    isResourceRequest: true,
    group,
    version,
    resource: write.resource.definition.names.plural,
    subresource: write.subresource,
    namespace: write.namespace,
    name: write.name,
    path: '',
  };
  const { decision, reason } = await authorizer.authorize(attributes);
  if (decision !== 'allow') throw forbidden(attributes, reason);
}
