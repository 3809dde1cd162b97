// Which requests a webhook is called for: operations, groups, versions, resources, scope.
import { type FieldError, type FieldPath, fieldErrors } from '@instar/machinery';

export interface WebhookRule {
  operations?: string[];
  apiGroups?: string[];
  apiVersions?: string[];
  resources?: string[];
  scope?: string;
}

const OPERATIONS = ['*', 'CONNECT', 'CREATE', 'DELETE', 'UPDATE'];
const SCOPES = ['*', 'Cluster', 'Namespaced'];

export function validateWebhookRule(rule: WebhookRule, path: FieldPath): FieldError[] {
  const { operations = [], apiGroups = [], apiVersions = [], resources = [], scope } = rule;
  const errors = [
    ...validateWildcard(operations, path.child('operations'), 'operations'),
    ...operations.flatMap((operation, index) =>
      OPERATIONS.includes(operation)
        ? []
        : [fieldErrors.notSupported(path.child('operations').index(index), operation, OPERATIONS)],
    ),
    ...validateWildcard(apiGroups, path.child('apiGroups'), 'API groups'),
    ...validateWildcard(apiVersions, path.child('apiVersions'), 'API versions'),
    ...apiVersions.flatMap((version, index) =>
      version === '' ? [fieldErrors.required(path.child('apiVersions').index(index))] : [],
    ),
    ...validateResources(resources, path.child('resources')),
  ];
  if (scope !== undefined && !SCOPES.includes(scope))
    errors.push(fieldErrors.notSupported(path.child('scope'), scope, SCOPES));
  return errors;
}

/** The list must not be empty, and a wildcard must be its only item. */
function validateWildcard(values: string[], path: FieldPath, what: string): FieldError[] {
  if (values.length === 0) return [fieldErrors.required(path)];
  if (values.length === 1 || !values.includes('*')) return [];
  return [fieldErrors.invalid(path, values, `if '*' is present, must not specify other ${what}`)];
}

function validateResources(resources: string[], path: FieldPath): FieldError[] {
  const errors: FieldError[] = resources.length === 0 ? [fieldErrors.required(path)] : [];
  const wholeResources = new Set<string>();
  const wholeSubresources = new Set<string>();
  // Upstream considers only the last plain resource.
  let plain = false;
  resources.forEach((text, index) => {
    const [resource, subresource] = splitOnce(text);
    if (text === '') errors.push(fieldErrors.required(path.index(index)));
    else if (subresource === undefined) plain = text !== '*';
    else {
      if (wholeResources.has(resource)) errors.push(covered(path.index(index), text, `${resource}/*`));
      if (wholeSubresources.has(subresource))
        errors.push(covered(path.index(index), text, `*/${subresource}`));
      if (subresource === '*') wholeResources.add(resource);
      if (resource === '*') wholeSubresources.add(subresource);
    }
  });
  if (resources.length > 1 && resources.includes('*/*')) {
    errors.push(
      fieldErrors.invalid(path, resources, "if '*/*' is present, must not specify other resources"),
    );
  }
  if (plain && resources.includes('*')) {
    errors.push(
      fieldErrors.invalid(
        path,
        resources,
        "if '*' is present, must not specify other resources without subresources",
      ),
    );
  }
  return errors;
}

const covered = (path: FieldPath, text: string, by: string): FieldError =>
  fieldErrors.invalid(path, text, `if '${by}' is present, must not specify ${text}`);

function splitOnce(text: string): [string, string | undefined] {
  const slash = text.indexOf('/');
  return slash < 0 ? [text, undefined] : [text.slice(0, slash), text.slice(slash + 1)];
}
