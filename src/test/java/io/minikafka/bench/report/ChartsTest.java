package io.minikafka.bench.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.minikafka.bench.RowFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChartsTest {
  @TempDir Path dir;

  @Test
  void eachChartIsDrawnAsSvgAndPng() throws Exception {
    Files.writeString(
        dir.resolve("rows.csv"),
        """
        run,experiment,client,record_bytes,batch_records,in_flight,mb_per_s
        a,produce,raw,100,1,1,0.5
        a,produce,raw,100,1000,1,500
        """);

    List<String> drawn = Charts.draw(RowFile.read(dir), dir);

    assertEquals(List.of("produce-raw.svg"), drawn);
    assertTrue(Files.readString(dir.resolve("produce-raw.svg")).contains("<svg"));
    byte[] png = Files.readAllBytes(dir.resolve("produce-raw.png"));
    assertEquals("PNG", new String(png, 1, 3, java.nio.charset.StandardCharsets.US_ASCII));
  }
}
