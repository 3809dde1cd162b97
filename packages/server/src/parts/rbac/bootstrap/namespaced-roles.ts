// The roles in namespaces, as namespace/name, in the notation of role-notation.ts.

export const NAMESPACED_ROLES: Readonly<Record<string, readonly string[]>> = {
  'kube-public/system:controller:bootstrap-signer': [
    'get,list,watch core configmaps',
    'update core configmaps cluster-info',
    'create,patch,update core,events.k8s.io events',
  ],
  'kube-system/extension-apiserver-authentication-reader': [
    'get,list,watch core configmaps extension-apiserver-authentication',
  ],
  'kube-system/system::leader-locking-kube-controller-manager': [
    'create,get,list,update,watch coordination.k8s.io leases',
    'create,get,list,update,watch coordination.k8s.io leasecandidates',
  ],
  'kube-system/system::leader-locking-kube-scheduler': [
    'create,get,list,update,watch coordination.k8s.io leases',
    'create,get,list,update,watch coordination.k8s.io leasecandidates',
  ],
  'kube-system/system:controller:bootstrap-signer': ['get,list,watch core secrets'],
  'kube-system/system:controller:cloud-provider': ['create,get,list,watch core configmaps'],
  'kube-system/system:controller:token-cleaner': [
    'delete,get,list,watch core secrets',
    'create,patch,update core,events.k8s.io events',
  ],
};
