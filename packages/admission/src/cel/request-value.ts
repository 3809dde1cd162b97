// The `request` variable: an AdmissionRequest without its objects, which are separate variables, and without
// what Go would omit.
import type { AdmissionUserInfo, JsonObject } from '@instar/machinery';
import type { AdmissionSubject, AdmissionUser, ResourceMapping } from '../subject.ts';

function userInfoOf({ name, uid, groups, extra }: AdmissionUser): AdmissionUserInfo {
  const info: AdmissionUserInfo = {};
  if (name !== '') info.username = name;
  if (uid !== '') info.uid = uid;
  if (groups.length > 0) info.groups = [...groups];
  if (Object.keys(extra).length > 0) info.extra = extra as Record<string, string[]>;
  return info;
}

/** For a request that is seen in another version than its own: `mapping` says which. */
export function requestValue(subject: AdmissionSubject, mapping: ResourceMapping): JsonObject {
  const { subresource, name, namespace } = subject;
  return {
    kind: { ...mapping.kind },
    resource: { ...mapping.resource },
    ...(subresource !== '' && { subResource: subresource }),
    requestKind: { ...subject.kind },
    requestResource: { ...subject.resource },
    ...(subresource !== '' && { requestSubResource: subresource }),
    ...(name !== '' && { name }),
    ...(namespace !== '' && { namespace }),
    operation: subject.operation,
    userInfo: userInfoOf(subject.user) as JsonObject,
    dryRun: subject.dryRun,
    options: subject.options,
  };
}
