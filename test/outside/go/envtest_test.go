// Package outside pins the suites that test/outside runs, and uses envtest as a user of it does.
package outside

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	corev1 "k8s.io/api/core/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/controller-runtime/pkg/client"
	"sigs.k8s.io/controller-runtime/pkg/envtest"
)

func start(t *testing.T) (*envtest.Environment, client.Client) {
	t.Helper()
	environment := &envtest.Environment{}
	config, err := environment.Start()
	if err != nil {
		t.Fatalf("the control plane does not start: %v", err)
	}
	admin, err := client.New(config, client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return environment, admin
}

func configMap(name string) *corev1.ConfigMap {
	return &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Namespace: "default", Name: name}}
}

func TestControlPlaneStartsServesAndStops(t *testing.T) {
	environment, admin := start(t)
	if err := admin.Create(context.Background(), configMap("a")); err != nil {
		t.Error(err)
	}
	began := time.Now()
	if err := environment.Stop(); err != nil {
		t.Error(err)
	}
	if took := time.Since(began); took > 5*time.Second {
		t.Errorf("it took %v to stop", took)
	}
}

func TestControlPlanesInParallelHaveTheirOwnData(t *testing.T) {
	var group sync.WaitGroup
	for range 3 {
		group.Go(func() {
			environment, admin := start(t)
			defer environment.Stop()
			if err := admin.Create(context.Background(), configMap("same")); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
}

func TestUsersHaveTheRightsOfTheirRolesOnly(t *testing.T) {
	environment, admin := start(t)
	defer environment.Stop()
	user, err := environment.AddUser(envtest.User{Name: "bob", Groups: []string{"readers"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	bob, err := client.New(user.Config(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.Background()
	if err := bob.List(ctx, &corev1.ConfigMapList{}); !apierrors.IsForbidden(err) {
		t.Errorf("before a role allows it, the list gives %v", err)
	}
	binding := &rbacv1.ClusterRoleBinding{
		ObjectMeta: metav1.ObjectMeta{Name: "readers"},
		RoleRef:    rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: "view"},
		Subjects:   []rbacv1.Subject{{APIGroup: rbacv1.GroupName, Kind: "Group", Name: "readers"}},
	}
	if err := admin.Create(ctx, binding); err != nil {
		t.Fatal(err)
	}
	deadline := time.Now().Add(10 * time.Second)
	for bob.List(ctx, &corev1.ConfigMapList{}, client.InNamespace("default")) != nil {
		if time.Now().After(deadline) {
			t.Fatal("the role is not in force after 10 s")
		}
		time.Sleep(10 * time.Millisecond)
	}
	if err := bob.Create(ctx, configMap("b")); !apierrors.IsForbidden(err) {
		t.Errorf("a reader may create: %v", err)
	}
}

func TestKubectlOfTheControlPlane(t *testing.T) {
	if _, err := os.Stat(filepath.Join(os.Getenv("KUBEBUILDER_ASSETS"), "kubectl")); err != nil {
		t.Skip("there is no kubectl")
	}
	environment, _ := start(t)
	defer environment.Stop()
	user, err := environment.AddUser(envtest.User{Name: "admin", Groups: []string{"system:masters"}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	kubectl, err := user.Kubectl()
	if err != nil {
		t.Fatal(err)
	}
	if _, stderr, err := kubectl.Run("get", "namespace", "default"); err != nil {
		t.Errorf("%v: %v", err, stderr)
	}
}
