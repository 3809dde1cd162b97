// Package testing starts the server of apiextensions-apiserver's integration tests. This file takes the place
// of the one that starts it within the process of the tests: here it is the command that
// INSTAR_COMMAND names, over the etcd that the tests themselves look into.
package testing

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/pflag"

	extensionsapiserver "k8s.io/apiextensions-apiserver/pkg/apiserver"
	"k8s.io/apiextensions-apiserver/pkg/cmd/server/options"
	"k8s.io/apiserver/pkg/storage/storagebackend"
	utilfeature "k8s.io/apiserver/pkg/util/feature"
	restclient "k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/component-base/featuregate"
)

// TearDownFunc ends a server.
type TearDownFunc func()

// TestServerInstanceOptions has nothing that these tests set.
type TestServerInstanceOptions struct{}

// TestServer is a server that runs.
type TestServer struct {
	ClientConfig    *restclient.Config
	ServerOpts      *options.CustomResourceDefinitionsServerOptions
	TearDownFn      TearDownFunc
	TmpDir          string
	CompletedConfig extensionsapiserver.CompletedConfig
}

// Logger is what starting a server needs of a test.
type Logger interface {
	Errorf(format string, args ...interface{})
	Fatalf(format string, args ...interface{})
	Logf(format string, args ...interface{})
}

// How long a server may take to start and to end on a machine that is busy.
const limit = time.Minute

// Flags that are about connections to a kube-apiserver beside the server.
var onlyInProcess = []string{
	"--authentication-skip-lookup", "--authentication-kubeconfig", "--authorization-kubeconfig",
	"--kubeconfig", "--watch-cache",
}

// StartTestServer starts a server with the flags of a test, and the feature gates that it has set.
func StartTestServer(t Logger, _ *TestServerInstanceOptions, flags []string, _ *storagebackend.Config) (TestServer, error) {
	folder, err := os.MkdirTemp("", "apiextensions-apiserver")
	if err != nil {
		return TestServer{}, err
	}
	opts, completed, err := optionsOf(flags, folder)
	if err != nil {
		os.RemoveAll(folder)
		return TestServer{}, err
	}
	kubeconfig := filepath.Join(folder, "kubeconfig")
	args := append(passedOn(flags), gates()...)
	args = append(args, "--secure-port=0", "--cert-dir="+folder, "--data-dir="+folder, "--kubeconfig="+kubeconfig)
	tearDown, err := start(t, args)
	if err != nil {
		os.RemoveAll(folder)
		return TestServer{}, err
	}
	stop := func() {
		tearDown()
		os.RemoveAll(folder)
	}
	config, err := clientcmd.BuildConfigFromFlags("", kubeconfig)
	if err != nil {
		stop()
		return TestServer{}, err
	}
	// As the client of a server in the same process: without a limit.
	config.QPS = -1
	return TestServer{config, opts, stop, folder, completed}, nil
}

// StartTestServerOrDie ends the test if the server does not start.
func StartTestServerOrDie(t Logger, instance *TestServerInstanceOptions, flags []string, storage *storagebackend.Config) *TestServer {
	server, err := StartTestServer(t, instance, flags, storage)
	if err != nil {
		t.Fatalf("the server does not start: %v", err)
	}
	return &server
}

// optionsOf says where the data are, for tests that look into etcd. It starts nothing.
func optionsOf(flags []string, folder string) (*options.CustomResourceDefinitionsServerOptions, extensionsapiserver.CompletedConfig, error) {
	none := extensionsapiserver.CompletedConfig{}
	opts := options.NewCustomResourceDefinitionsServerOptions(os.Stdout, os.Stderr)
	set := pflag.NewFlagSet("test", pflag.ContinueOnError)
	opts.AddFlags(set)
	if err := set.Parse(withoutVersions(flags)); err != nil {
		return nil, none, err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, none, err
	}
	defer listener.Close()
	serving := opts.RecommendedOptions.SecureServing
	serving.Listener, serving.BindPort = listener, listener.Addr().(*net.TCPAddr).Port
	serving.ServerCert.CertDirectory = filepath.Join(folder, "unused")
	if err := opts.Complete(); err != nil {
		return nil, none, err
	}
	config, err := opts.Config()
	if err != nil {
		return nil, none, err
	}
	return opts, config.Complete(), nil
}

// withoutVersions leaves out what would change the process of the tests.
func withoutVersions(flags []string) []string {
	return slices.DeleteFunc(slices.Clone(flags), func(flag string) bool {
		return strings.HasPrefix(flag, "--emulated-version") || strings.HasPrefix(flag, "--feature-gates")
	})
}

// passedOn are the flags of a test that are for the server itself.
func passedOn(flags []string) []string {
	var passed []string
	for i := 0; i < len(flags); i++ {
		flag, value, hasValue := strings.Cut(flags[i], "=")
		if !hasValue && i+1 < len(flags) && !strings.HasPrefix(flags[i+1], "--") {
			i++
			value, hasValue = flags[i], true
		}
		if slices.Contains(onlyInProcess, flag) {
			continue
		}
		if hasValue {
			flag += "=" + value
		}
		passed = append(passed, flag)
	}
	return passed
}

// gates passes on the feature gates that a test has set in its process.
func gates() []string {
	defaults := utilfeature.DefaultMutableFeatureGate.DeepCopy()
	var changed []string
	for name, spec := range defaults.GetAll() {
		isGroup := strings.HasPrefix(string(name), "All")
		if enabled := utilfeature.DefaultFeatureGate.Enabled(featuregate.Feature(name)); !isGroup && enabled != spec.Default {
			changed = append(changed, fmt.Sprintf("%s=%t", name, enabled))
		}
	}
	if len(changed) == 0 {
		return nil
	}
	slices.Sort(changed)
	return []string{"--feature-gates=" + strings.Join(changed, ",")}
}

// start returns when the server is ready.
func start(t Logger, args []string) (TearDownFunc, error) {
	command := exec.Command("node", append([]string{os.Getenv("INSTAR_COMMAND"), "serve"}, args...)...)
	t.Logf("%v", command)
	var errors bytes.Buffer
	command.Stderr = &errors
	stdout, err := command.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := command.Start(); err != nil {
		return nil, err
	}
	ready, ended := make(chan bool, 1), make(chan error, 1)
	go func() {
		lines := bufio.NewScanner(stdout)
		for lines.Scan() {
			if strings.HasPrefix(lines.Text(), "ready ") {
				ready <- true
			}
		}
		ended <- command.Wait()
	}()
	tearDown := func() {
		command.Process.Signal(syscall.SIGTERM)
		select {
		case <-ended:
		case <-time.After(limit):
			t.Errorf("the server does not end")
			command.Process.Kill()
			<-ended
		}
	}
	select {
	case <-ready:
		return tearDown, nil
	case <-ended:
		return nil, fmt.Errorf("the server has ended: %s", errors.String())
	case <-time.After(limit):
		tearDown()
		return nil, fmt.Errorf("the server is not ready after %v: %s", limit, errors.String())
	}
}
