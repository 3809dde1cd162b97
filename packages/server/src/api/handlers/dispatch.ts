// Finds the resource and version of a request, checks that the path and the method fit, and calls the
// handler.
import { apiErrors } from '@instar/machinery';
import type { ServedResource } from '../../objects/registry.ts';
import { type DeclaredSubresource, findSubresource, subresourceVerbs } from '../../objects/subresource.ts';
import type { ApiRequest, ApiResponse, Handler } from '../../wire/exchange.ts';
import { checkRoutable } from '../../wire/negotiate.ts';
import { methodNotAllowed, pageNotFound, resourceNotFound } from '../../wire/responses.ts';
import { isTypedGroup } from '../typed-group.ts';
import { create } from './create.ts';
import { createSubresource } from './create-subresource.ts';
import { deleteOne } from './delete.ts';
import { deleteCollection } from './delete-collection.ts';
import { get } from './get.ts';
import { list } from './list.ts';
import { patch } from './patch.ts';
import type { RequestScope, Services } from './request-scope.ts';
import { patchScale, updateScale } from './scale.ts';
import { subresourceCall } from './subresource-call.ts';
import { update } from './update.ts';
import { answerVirtual } from './virtual.ts';
import { watch } from './watch.ts';

export function resourceHandler(services: Services): Handler {
  return async (request) => {
    const { group, version, resource, name, namespace, subresource } = request.info;
    const virtual = services.registry.findVirtual(group, version, resource);
    if (virtual !== undefined && !('aliasOf' in virtual)) return answerVirtual(request, virtual);
    if (virtual !== undefined && (request.info.verb !== 'create' || name !== '')) throw methodNotAllowed();
    const served = services.registry.find(group, version, virtual?.aliasOf.resource ?? resource);
    if (served === undefined) return unknownResource(services, group);
    if (!isPathValid(served, request)) return unknownResource(services, group);
    const { unavailable } = served.resource.definition;
    if (unavailable !== undefined) throw apiErrors.internal(unavailable);
    const scope: RequestScope = {
      request,
      ...served,
      namespace: served.resource.definition.namespaced ? namespace : '',
      name,
      subresource: virtual?.aliasOf.subresource ?? subresource,
      services,
      waited: { milliseconds: 0 },
    };
    if (!served.resource.definition.typed) services.versionUsed?.(scope);
    if (served.version.deprecated) {
      request.warnings.push(served.version.deprecationWarning!);
      request.audit?.annotate('k8s.io/deprecated', 'true');
    }
    return served.resource.definition.converter.convertNow === undefined
      ? reportConversionWait(scope, answer)
      : answer(scope);
  };
}

async function reportConversionWait(
  scope: RequestScope,
  handle: (scope: RequestScope) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  try {
    return await handle(scope);
  } finally {
    if (scope.waited.milliseconds > 0)
      scope.services.conversionWaited?.(scope.resource, scope.waited.milliseconds);
  }
}

/** Groups that upstream serves with Go types are answered with a Status, all others with text. */
function unknownResource({ registry }: Services, group: string): ApiResponse {
  if (isTypedGroup(registry, group)) throw resourceNotFound();
  return pageNotFound();
}

const ACROSS_NAMESPACES = new Set(['list', 'watch']);

function isPathValid({ resource }: ServedResource, { info }: ApiRequest): boolean {
  if (resource.definition.namespaced) return info.namespace !== '' || ACROSS_NAMESPACES.has(info.verb);
  // The path of a namespace itself names the namespace twice.
  return info.namespace === '' || info.resource === 'namespaces';
}

function answer(scope: RequestScope): Promise<ApiResponse> {
  if (scope.subresource !== '') return answerSubresource(scope);
  const { verb } = scope.request.info;
  if (!isSupported(scope, verb)) throw refused(scope);
  if (scope.resource.definition.typed) checkRoutable(scope.request, verb === 'list' || verb === 'watch');
  switch (verb) {
    case 'get':
      return get(scope);
    case 'list':
      return list(scope);
    case 'watch':
      return watch(scope);
    case 'create':
      return create(scope);
    case 'update':
      return update(scope);
    case 'patch':
      return patch(scope);
    case 'delete':
      return deleteOne(scope);
    case 'deletecollection':
      return deleteCollection(scope);
    case '':
      throw refused(scope);
  }
}

/**
 * For typed kinds, the router knows which methods fit a collection and which an object; for custom ones, the
 * handlers check the name.
 */
function isSupported({ resource, name, request }: RequestScope, verb: string): boolean {
  const { verbs, typed } = resource.definition;
  if (typed && request.method === 'HEAD') return false;
  if (verbs !== undefined && !verbs.includes(verb)) return false;
  if (!typed) return true;
  return verb === 'create' ? name === '' : verb === 'update' || verb === 'patch' ? name !== '' : true;
}

function refused({ resource, request }: RequestScope) {
  return resource.definition.typed
    ? methodNotAllowed()
    : apiErrors.methodNotSupported(resource.groupResource, request.info.verb);
}

type KnownSubresource = 'scale' | 'status' | 'finalize' | DeclaredSubresource;

function subresourceOf({
  subresource,
  version,
  resource,
  request,
}: RequestScope): KnownSubresource | undefined {
  const declared = findSubresource(version, subresource);
  // Of custom resources, upstream does not look at what follows the subresource.
  if (request.info.rest.length > 0 && resource.definition.typed)
    return declared?.style === 'connect' && declared.hasPath ? declared : undefined;
  if (declared !== undefined) return declared;
  if (subresource === 'scale' && version.scaleSubresource !== undefined) return 'scale';
  if (subresource === 'status' && version.statusSubresource) return 'status';
  return subresource === 'finalize' && resource.definition.strategy.finalizersUnderSpec
    ? 'finalize'
    : undefined;
}

function answerSubresource(scope: RequestScope): Promise<ApiResponse> {
  const subresource = subresourceOf(scope);
  const { verb } = scope.request.info;
  if (subresource === undefined)
    throw scope.resource.definition.typed ? resourceNotFound() : scope.resource.notFound(scope.name);
  if (subresource === 'finalize' && verb !== 'update') throw methodNotAllowed();
  if (typeof subresource === 'object' && !subresourceVerbs(subresource).includes(verb))
    throw methodNotAllowed();
  if (scope.resource.definition.typed) checkRoutable(scope.request, false);
  if (typeof subresource === 'object' && subresource.style === 'create')
    return createSubresource(scope, subresource);
  if (typeof subresource === 'object' && subresource.style === 'connect')
    return subresource.connect(subresourceCall(scope));
  switch (verb) {
    case 'get':
      return get(scope);
    case 'update':
      return subresource === 'scale' ? updateScale(scope) : update(scope);
    case 'patch':
      return subresource === 'scale' ? patchScale(scope) : patch(scope);
    default:
      throw refused(scope);
  }
}
