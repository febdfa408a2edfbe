import Foundation
import PalimpsestDatasets
import Testing

@Suite struct ManifestTests {
  @Test func `the manifest in the repository is the list in the code`() throws {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../datasets")
    let data = try Data(contentsOf: folder.appendingPathComponent("manifest.json"))
    #expect(try JSONDecoder().decode([KnownDataset].self, from: data) == KnownDataset.all)
  }

  @Test func `every file has two digests and every set an address`() {
    for known in KnownDataset.all {
      #expect(!known.urls.isEmpty && !known.licence.isEmpty)
      for file in known.files { #expect(file.sha256.count == 64 && file.contentSHA256.count == 64) }
    }
  }
}
