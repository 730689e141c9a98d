import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Supplier;
import kaon.Batch;
import kaon.Batches;
import kaon.Column;
import kaon.EventFile;

/**
 * Measures W2 in Java, row by row: computes common/BankSums.h's sums and prints the figures as
 * JSON.
 */
public class Bank {
  private static final int UNMEASURED = 10; // runs in which the virtual machine compiles

  /** See common/BankSums.h. */
  private record Sums(int[] histogram, int[] sum) {
    Sums() {
      this(new int[200], new int[1]);
    }

    void count(float momentum) {
      ++histogram[Math.min((int) (momentum * 20), histogram.length - 1)];
    }

    String result() {
      return Arrays.hashCode(histogram) + " " + sum[0];
    }
  }

  public static void main(String[] arguments) {
    String path = arguments[0];
    int repeats = Integer.parseInt(arguments[1]);
    System.out.printf(
        "[%s, %s]%n",
        row("read 12 columns", repeats, () -> addAll(path)),
        row("read 2 columns", repeats, () -> addTwo(path)));
  }

  private static String addAll(String path) {
    Sums sums = new Sums();
    try (EventFile file = EventFile.open(path);
        Batches batches = file.category("events").read("bank")) {
      for (Batch batch : batches) {
        addAll(batch, sums);
      }
    }
    return sums.result();
  }

  private static void addAll(Batch batch, Sums sums) {
    Column rows = batch.column("bank");
    Column pid = batch.column("bank.pid");
    Column px = batch.column("bank.px");
    Column py = batch.column("bank.py");
    Column pz = batch.column("bank.pz");
    Column vx = batch.column("bank.vx");
    Column vy = batch.column("bank.vy");
    Column vz = batch.column("bank.vz");
    Column vt = batch.column("bank.vt");
    Column charge = batch.column("bank.charge");
    Column beta = batch.column("bank.beta");
    Column chi2pid = batch.column("bank.chi2pid");
    Column status = batch.column("bank.status");
    int sum = 0;
    for (long event = 0; event < batch.entries(); ++event) {
      for (long row = rows.begin(event), end = rows.end(event); row < end; ++row) {
        float x = px.getFloat(row);
        float y = py.getFloat(row);
        float z = pz.getFloat(row);
        sums.count((float) Math.sqrt(x * x + y * y + z * z));
        sum += pid.getInt(row) + bits(vx, row) + bits(vy, row) + bits(vz, row) + bits(vt, row);
        sum += charge.getByte(row) + bits(beta, row) + bits(chi2pid, row) + status.getShort(row);
      }
    }
    sums.sum()[0] += sum;
  }

  private static int bits(Column column, long row) {
    return Float.floatToRawIntBits(column.getFloat(row));
  }

  private static String addTwo(String path) {
    Sums sums = new Sums();
    try (EventFile file = EventFile.open(path);
        Batches batches = file.category("events").read("bank.px", "bank.py")) {
      for (Batch batch : batches) {
        Column rows = batch.column("bank");
        Column px = batch.column("bank.px");
        Column py = batch.column("bank.py");
        for (long event = 0; event < batch.entries(); ++event) {
          for (long row = rows.begin(event), end = rows.end(event); row < end; ++row) {
            float x = px.getFloat(row);
            float y = py.getFloat(row);
            sums.count((float) Math.sqrt(x * x + y * y));
          }
        }
      }
    }
    return sums.result();
  }

  /** Returns the figures of one task in the form of the C++ programs. */
  private static String row(String task, int repeats, Supplier<String> run) {
    String result = run.get();
    double[] wall = new double[repeats];
    double[] cpu = new double[repeats];
    for (int i = -UNMEASURED; i < repeats; ++i) {
      long wallBefore = System.nanoTime();
      long cpuBefore = cpuTime();
      if (!run.get().equals(result)) {
        throw new AssertionError("wrong result: not the same as before");
      }
      if (i >= 0) {
        wall[i] = (System.nanoTime() - wallBefore) * 1e-9;
        cpu[i] = (cpuTime() - cpuBefore) * 1e-9;
      }
    }
    String runs = "";
    for (int i = 0; i < repeats; ++i) {
      runs += String.format(
          Locale.ROOT, "%s{\"wall\": %g, \"cpu\": %g}", i > 0 ? ", " : "", wall[i], cpu[i]);
    }
    return String.format(
        Locale.ROOT,
        "{\"task\": \"%s\", \"program\": \"kaon in Java, row by row\", \"variant\": \"split/lz4\","
            + " \"role\": \"kaon\", \"unit\": \"s/million events\", \"value\": %g, \"best\": %g,"
            + " \"wall\": %g, \"seconds\": [%s]}",
        task, median(cpu), Arrays.stream(cpu).min().orElseThrow(), median(wall), runs);
  }

  private static double median(double[] values) {
    double[] sorted = values.clone();
    Arrays.sort(sorted);
    return sorted[sorted.length / 2];
  }

  private static long cpuTime() {
    return ((com.sun.management.OperatingSystemMXBean)
            ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }
}
