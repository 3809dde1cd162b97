//go:build tools

package main

// Keeps the modules whose sources are read in go.mod.
import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1"
)
