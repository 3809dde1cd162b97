// The operations on a resource in one version, independent of the dialect that they are printed in.
import { PATCH_MEDIA_TYPES } from '@instar/machinery';
import { metaModelName } from '../model-names.ts';
import { operationId, operationTag } from './operation-id.ts';
import { type Action, NAMESPACE, nameParameter, OPTIONS, type Parameter, PRETTY } from './parameters.ts';

type Method = 'get' | 'put' | 'post' | 'delete' | 'patch';

export interface Operation {
  readonly path: string;
  readonly method: Method;
  readonly action: Action;
  readonly id: string;
  readonly tag: string;
  readonly description: string;
  readonly parameters: readonly Parameter[];
  readonly body?: { readonly model: string; readonly types: readonly string[]; readonly required: boolean };
  readonly produces: readonly string[];
  /** The model of every successful response (without it: text), and their codes. */
  readonly answer: {
    readonly model: string | undefined;
    readonly codes: readonly [code: string, text: string][];
  };
  readonly gvk: { readonly group: string; readonly version: string; readonly kind: string };
}

export interface OperatedSubresource {
  readonly name: string;
  /** As discovery lists them. */
  readonly verbs: readonly string[];
  /** The model and kind of what it takes and answers, if they are not those of the resource. */
  readonly model?: string;
  readonly kind?: { readonly group: string; readonly version: string; readonly kind: string };
  /** Connects with a node rather than taking or answering objects. */
  readonly isConnection?: boolean;
}

export interface OperatedResource {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly plural: string;
  readonly namespaced: boolean;
  readonly typed: boolean;
  readonly verbs: ReadonlySet<string>;
  readonly subresources: readonly OperatedSubresource[];
  readonly model: string;
  readonly listModel: string;
}

const WRITTEN = ['application/json', 'application/yaml'];
const PATCHES = [PATCH_MEDIA_TYPES.apply, PATCH_MEDIA_TYPES.json, PATCH_MEDIA_TYPES.merge];
const TYPED_PATCHES = [...PATCHES, PATCH_MEDIA_TYPES.strategic];

const OK = ['200', 'OK'] as const;
const CREATED = ['201', 'Created'] as const;
const ACCEPTED = ['202', 'Accepted'] as const;

interface Verb {
  readonly name: string;
  readonly discovered: string;
  readonly method: Method;
  readonly action: Action;
  readonly codes: readonly (readonly [string, string])[];
}

const VERBS = {
  list: { name: 'list', discovered: 'list', method: 'get', action: 'list', codes: [OK] },
  create: {
    name: 'create',
    discovered: 'create',
    method: 'post',
    action: 'post',
    codes: [OK, CREATED, ACCEPTED],
  },
  deleteCollection: {
    name: 'deletecollection',
    discovered: 'deletecollection',
    method: 'delete',
    action: 'deletecollection',
    codes: [OK],
  },
  read: { name: 'read', discovered: 'get', method: 'get', action: 'get', codes: [OK] },
  replace: { name: 'replace', discovered: 'update', method: 'put', action: 'put', codes: [OK, CREATED] },
  delete: { name: 'delete', discovered: 'delete', method: 'delete', action: 'delete', codes: [OK, ACCEPTED] },
  patch: { name: 'patch', discovered: 'patch', method: 'patch', action: 'patch', codes: [OK] },
} as const satisfies Record<string, Verb>;

const ON_COLLECTION: readonly Verb[] = [VERBS.list, VERBS.create, VERBS.deleteCollection];
const ON_OBJECT: readonly Verb[] = [VERBS.read, VERBS.replace, VERBS.delete, VERBS.patch];
const ON_SUBRESOURCE: readonly Verb[] = [VERBS.read, VERBS.replace, VERBS.create, VERBS.delete, VERBS.patch];

export function operationsOf(resource: OperatedResource): Operation[] {
  const { group, version, plural, namespaced, subresources, verbs } = resource;
  const root = group === '' ? `/api/${version}` : `/apis/${group}/${version}`;
  const collection = namespaced ? `${root}/namespaces/{namespace}/${plural}` : `${root}/${plural}`;
  const offered = (candidates: readonly Verb[]) =>
    candidates.filter(({ discovered }) => verbs.has(discovered));
  const everywhere = namespaced ? offered([VERBS.list]) : [];
  return [
    ...everywhere.map((verb) =>
      operation(resource, verb, { path: `${root}/${plural}`, allNamespaces: true }),
    ),
    ...offered(ON_COLLECTION).map((verb) => operation(resource, verb, { path: collection })),
    ...offered(ON_OBJECT).map((verb) => operation(resource, verb, { path: `${collection}/{name}` })),
    ...subresources.flatMap((subresource) =>
      ON_SUBRESOURCE.filter(({ discovered }) => subresource.verbs.includes(discovered)).map((verb) =>
        operation(resource, subresource.isConnection ? connection(verb) : verb, {
          path: `${collection}/{name}/${subresource.name}`,
          subresource,
        }),
      ),
    ),
  ];
}

/** As upstream: connectGetNamespacedPodExec, answered with text. */
function connection({ method, discovered }: Verb): Verb {
  const name = `connect${method.charAt(0).toUpperCase()}${method.slice(1)}`;
  return { name, discovered, method, action: 'connect', codes: [OK] };
}

interface OperationPath {
  readonly path: string;
  readonly allNamespaces?: boolean;
  readonly subresource?: OperatedSubresource;
}

function operation(resource: OperatedResource, verb: Verb, at: OperationPath): Operation {
  const { group, version, kind } = resource;
  const { isConnection } = at.subresource ?? {};
  const model = answerModel(resource, verb, at);
  const body = bodyOf(resource, verb, at);
  return {
    path: at.path,
    method: verb.method,
    action: verb.action,
    id: idOf(resource, verb, at),
    tag: operationTag(group, version),
    description: describe(kind, verb, at.subresource),
    parameters: parametersOf(resource, verb, at),
    ...(body !== undefined && { body }),
    produces: isConnection ? ['*/*'] : WRITTEN,
    answer: { model, codes: verb.codes.map(([code, text]) => [code, text]) },
    gvk: at.subresource?.kind ?? { group, version, kind },
  };
}

function parametersOf({ kind }: OperatedResource, { action }: Verb, { path }: OperationPath): Parameter[] {
  return [
    ...OPTIONS[action],
    ...(path.includes('{name}') ? [nameParameter(kind)] : []),
    ...(path.includes('{namespace}') ? [NAMESPACE] : []),
    PRETTY,
  ];
}

function answerModel(
  { model, listModel }: OperatedResource,
  { name }: Verb,
  { subresource }: OperationPath,
): string | undefined {
  if (subresource?.isConnection) return undefined;
  if (name === 'list') return listModel;
  if (name === 'delete' || name === 'deletecollection') return metaModelName('Status');
  return subresource?.model ?? model;
}

function bodyOf(
  { model, typed }: OperatedResource,
  { action }: Verb,
  { subresource }: OperationPath,
): Operation['body'] {
  switch (action) {
    case 'patch':
      return { model: metaModelName('Patch'), types: typed ? TYPED_PATCHES : PATCHES, required: true };
    case 'delete':
      return { model: metaModelName('DeleteOptions'), types: WRITTEN, required: false };
    case 'post':
    case 'put':
      return { model: subresource?.model ?? model, types: WRITTEN, required: true };
    default:
      return undefined;
  }
}

/** As upstream, deletecollection is delete…Collection…. */
function idOf(
  { group, version, kind, namespaced }: OperatedResource,
  { name }: Verb,
  { allNamespaces, subresource }: OperationPath,
): string {
  if (allNamespaces) return operationId(name, group, version, `${kind}ForAllNamespaces`);
  const part = subresource?.name ?? '';
  const subject = `${namespaced ? 'Namespaced' : ''}${kind}${part.charAt(0).toUpperCase()}${part.slice(1)}`;
  return name === 'deletecollection'
    ? operationId('delete', group, version, `Collection${subject}`)
    : operationId(name, group, version, subject);
}

function describe(
  kind: string,
  { name: verb, method }: Verb,
  subresource: OperatedSubresource | undefined,
): string {
  if (subresource?.isConnection)
    return `connect ${method.toUpperCase()} requests to ${subresource.name} of ${kind}`;
  const of = subresource === undefined ? '' : ` ${subresource.name} of`;
  switch (verb) {
    case 'list':
      return `list${of} objects of kind ${kind}`;
    case 'patch':
      return `partially update${of} the specified ${kind}`;
    case 'create':
    case 'delete':
      return `${verb}${of} ${/^[AEIOU]/i.test(kind) ? 'an' : 'a'} ${kind}`;
    case 'deletecollection':
      return `delete collection of ${kind}`;
    default:
      return `${verb}${of} the specified ${kind}`;
  }
}
