//go:build suites

// What the suites are compiled from, for `go mod tidy`.
package capi

import (
	_ "sigs.k8s.io/cluster-api/controllers/crdmigrator"
	_ "sigs.k8s.io/cluster-api/core/reconcilers/topology/cluster/structuredmerge"
)
