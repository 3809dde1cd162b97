package example;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceList;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.io.BufferedReader;
import java.io.File;
import java.io.InputStreamReader;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Watches and informers of fabric8 on a custom resource. Prints a line "SPEC passed|failed NAME[: reason]" for
 * each behavior. What it needs done to the server it asks for with a line "ASK …", and waits for a line on
 * standard input.
 */
public final class Watches {
  private static final ResourceDefinitionContext WIDGETS =
      new ResourceDefinitionContext.Builder()
          .withGroup("java.example.com")
          .withVersion("v1")
          .withKind("Widget")
          .withPlural("widgets")
          .withNamespaced(true)
          .build();

  private static final BufferedReader ANSWERS = new BufferedReader(new InputStreamReader(System.in));
  private static boolean isGreen = true;

  private interface Body {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    Config config = Config.fromKubeconfig(new File(args[0]));
    Config eager = new ConfigBuilder(config).withWatchReconnectInterval(200).build();
    try (KubernetesClient client = new KubernetesClientBuilder().withConfig(eager).build()) {
      spec("a watch through a WebSocket gets ADDED, MODIFIED and DELETED", () -> watchGetsEvents(client));
      spec("a watch with a selector gets the events of selected objects only", () -> watchSelects(client));
      informer(client);
    }
    System.exit(isGreen ? 0 : 1);
  }

  private static void watchGetsEvents(KubernetesClient client) throws Exception {
    List<String> events = new CopyOnWriteArrayList<>();
    try (Watch watch = widgets(client).watch(recorder(events))) {
      // The fallback over plain HTTP is another class.
      expect("the class of the watch", "WatchConnectionManager", () -> watch.getClass().getSimpleName());
      create(client, "watched", "1", Map.of());
      update(client, "watched", "2");
      widgets(client).withName("watched").delete();
      expect(
          "the events",
          List.of("ADDED watched 1", "MODIFIED watched 2", "DELETED watched 2"),
          () -> events);
    }
  }

  private static void watchSelects(KubernetesClient client) throws Exception {
    List<String> events = new CopyOnWriteArrayList<>();
    try (Watch watch = widgets(client).withLabel("color", "blue").watch(recorder(events))) {
      create(client, "red", "1", Map.of("color", "red"));
      create(client, "blue", "1", Map.of("color", "blue"));
      expect("the events", List.of("ADDED blue 1"), () -> events);
    }
    widgets(client).withName("red").delete();
    widgets(client).withName("blue").delete();
  }

  private static void informer(KubernetesClient client) throws Exception {
    create(client, "kept", "1", Map.of());
    create(client, "removed", "1", Map.of());
    SharedIndexInformer<GenericKubernetesResource> informer =
        client.genericKubernetesResources(WIDGETS).inNamespace("default").inform();
    try {
      spec("an informer syncs", () -> expect("its objects", Map.of("kept", "1", "removed", "1"), () -> held(informer)));
      spec("an informer sees a change", () -> {
        update(client, "kept", "2");
        expect("its objects", Map.of("kept", "2", "removed", "1"), () -> held(informer));
      });
      spec("an informer survives a restart of the server", () -> {
        ask("restart");
        update(client, "kept", "3");
        expect("its objects", Map.of("kept", "3", "removed", "1"), () -> held(informer));
      });
      spec("an informer survives connections that are cut", () -> {
        ask("cut");
        update(client, "kept", "4");
        expect("its objects", Map.of("kept", "4", "removed", "1"), () -> held(informer));
      });
      spec("an informer lists again when its resource version is compacted", () -> {
        String before = informer.lastSyncResourceVersion();
        ask("change-unseen " + before);
        expect("its objects", Map.of("kept", "unseen", "added", "unseen"), () -> held(informer));
      });
      spec("an informer that has listed again sees a change", () -> {
        update(client, "kept", "5");
        expect("its objects", Map.of("kept", "5", "added", "unseen"), () -> held(informer));
      });
    } finally {
      informer.stop();
    }
  }

  private static void spec(String name, Body body) {
    String reason = null;
    try {
      body.run();
    } catch (Exception | AssertionError error) {
      isGreen = false;
      reason = String.valueOf(error).replace('\n', ' ');
    }
    System.out.println("SPEC " + (reason == null ? "passed " + name : "failed " + name + ": " + reason));
  }

  private static void ask(String what) throws Exception {
    System.out.println("ASK " + what);
    String answer = ANSWERS.readLine();
    if (!"done".equals(answer)) throw new AssertionError("it could not be done: " + answer);
  }

  /** Waits up to 30 seconds. */
  private static <T> void expect(String what, T wanted, Supplier<T> actual) throws Exception {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    T last = actual.get();
    while (!wanted.equals(last)) {
      if (System.nanoTime() > deadline) throw new AssertionError(what + ": " + last + ", not " + wanted);
      Thread.sleep(20);
      last = actual.get();
    }
  }

  private static Map<String, String> held(SharedIndexInformer<GenericKubernetesResource> informer) {
    Map<String, String> sizes = new java.util.TreeMap<>();
    for (GenericKubernetesResource widget : informer.getStore().list()) {
      sizes.put(widget.getMetadata().getName(), size(widget));
    }
    return sizes;
  }

  private static Watcher<GenericKubernetesResource> recorder(List<String> events) {
    return new Watcher<>() {
      @Override
      public void eventReceived(Action action, GenericKubernetesResource widget) {
        events.add(action + " " + widget.getMetadata().getName() + " " + size(widget));
      }

      @Override
      public void onClose(WatcherException cause) {
        events.add("closed: " + cause);
      }
    };
  }

  private static String size(GenericKubernetesResource widget) {
    return widget.get("spec", "size");
  }

  private static void create(KubernetesClient client, String name, String size, Map<String, String> labels) {
    GenericKubernetesResource widget = new GenericKubernetesResource();
    widget.setApiVersion("java.example.com/v1");
    widget.setKind("Widget");
    widget.setMetadata(new ObjectMetaBuilder().withName(name).withLabels(labels).build());
    widget.setAdditionalProperty("spec", Map.of("size", size));
    widgets(client).resource(widget).create();
  }

  private static void update(KubernetesClient client, String name, String size) {
    widgets(client).withName(name).edit(widget -> {
      widget.setAdditionalProperty("spec", Map.of("size", size));
      return widget;
    });
  }

  private static NonNamespaceOperation<
          GenericKubernetesResource, GenericKubernetesResourceList, Resource<GenericKubernetesResource>>
      widgets(KubernetesClient client) {
    return client.genericKubernetesResources(WIDGETS).inNamespace("default");
  }
}
