// The short notation of the bootstrap roles, a line for a rule: verbs, groups, resources and names, each a
// list with commas. `core` is the group without a name; `url` instead of groups means paths.
import type { PolicyRule } from '../../../kinds/validate/rbac.ts';

export function parseRuleLine(line: string): PolicyRule {
  const [verbs = '', groups = '', targets = '', names] = line.split(' ');
  if (groups === 'url') return { verbs: verbs.split(','), nonResourceURLs: targets.split(',') };
  return {
    verbs: verbs.split(','),
    apiGroups: groups.split(',').map((group) => (group === 'core' ? '' : group)),
    resources: targets.split(','),
    ...(names !== undefined && { resourceNames: names.split(',') }),
  };
}
