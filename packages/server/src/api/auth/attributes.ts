import type { ApiRequest } from '../../wire/exchange.ts';
import type { Attributes, SelectorRequirement, Selectors } from './authorizer.ts';
import { fieldRequirementsOf, labelRequirementsOf } from './selector-requirements.ts';

/** What a request asks permission for. */
export function attributesOf(request: ApiRequest): Attributes {
  const { user, info, path } = request;
  const { isResourceRequest, group, version, resource, subresource, namespace, name } = info;
  const verb = isResourceRequest ? info.verb : info.nonResourceVerb;
  return {
    user,
    verb,
    isResourceRequest,
    group,
    version,
    resource,
    subresource,
    namespace,
    name,
    path,
    selectors: () => selectorsOf(request),
  };
}

const WITH_SELECTORS: ReadonlySet<string> = new Set(['list', 'watch', 'deletecollection']);
const NONE: Selectors = { field: [], label: [] };

function selectorsOf({ info, query }: ApiRequest): Selectors {
  if (!WITH_SELECTORS.has(info.verb)) return NONE;
  return {
    field: parsed(query.get('fieldSelector'), fieldRequirementsOf),
    label: parsed(query.get('labelSelector'), labelRequirementsOf),
  };
}

/** The handler refuses a selector that does not parse; the authorizer sees a request without one. */
function parsed(text: string | null, parse: (text: string) => SelectorRequirement[]): SelectorRequirement[] {
  try {
    return text === null ? [] : parse(text);
  } catch {
    return [];
  }
}
