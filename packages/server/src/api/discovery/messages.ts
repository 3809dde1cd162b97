// The documents of discovery in protobuf. See message-table.ts for how messages are written.
import { registerMessage } from '../../wire/protobuf/kinds.ts';
import { messagesOf } from '../../wire/protobuf/message-table.ts';

const TABLE = {
  APIVersions: '1 versions []string, 2 serverAddressByClientCIDRs []ServerAddressByClientCIDR',
  ServerAddressByClientCIDR: '1 clientCIDR string, 2 serverAddress string',
  APIGroupList: '1 groups []APIGroup',
  APIGroup:
    '1 name string, 2 versions []GroupVersionForDiscovery, ' +
    '3 preferredVersion GroupVersionForDiscovery, ' +
    '4 serverAddressByClientCIDRs []ServerAddressByClientCIDR',
  GroupVersionForDiscovery: '1 groupVersion string, 2 version string',
  APIResourceList: '1 groupVersion string, 2 resources []APIResource',
  APIResource:
    '1 name string, 6 singularName string, 2 namespaced bool, 8 group string, 9 version string, ' +
    '3 kind string, 4 verbs *Verbs, 5 shortNames []string, 7 categories []string, ' +
    '10 storageVersionHash string',
  Verbs: '1 items []string',
};

export function registerDiscovery(): void {
  const messages = messagesOf(TABLE, { known: {}, lists: ['Verbs'] });
  for (const kind of ['APIVersions', 'APIResourceList']) registerMessage('', kind, messages.get(kind)!);
  for (const kind of ['APIGroupList', 'APIGroup', 'APIResourceList'])
    registerMessage('v1', kind, messages.get(kind)!);
}
