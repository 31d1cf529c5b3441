import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import java.util.List;

/** Listens on 127.0.0.1 at the port of the first argument, as a server of version 7 (the driver refuses older ones). */
public class TestServer {
  public static void main(String[] arguments) throws Exception {
    MemoryBackend backend = new MemoryBackend();
    backend.version(new Version7());
    backend.enableOplog();
    new MongoServer(backend).bind("127.0.0.1", Integer.parseInt(arguments[0]));
    System.out.println("READY");
  }

  private static final class Version7 implements MongoVersion {
    @Override
    public List<Integer> getVersionArray() {
      return List.of(7, 0, 0);
    }

    @Override
    public int getWireVersion() {
      return 21;
    }
  }
}
