import PalimpsestMetrics
import PalimpsestResults

/// Slices, maps of two settings and parallel coordinates of every sweep.
enum SweepFigures {
  /// Sweeps that are drawn; a file with more says so.
  static let most = 16

  static func figures(_ data: ReportData) -> [Figure] {
    Sweep.all(data).prefix(most).flatMap { sweep -> [Figure] in
      let slices = sweep.settings.prefix(SliceFigure.most).compactMap { SliceFigure(sweep: sweep, setting: $0).figure }
      let two = sweep.settings.prefix(2)
      let heat = two.count == 2 ? HeatFigure(sweep: sweep, rows: two[0], columns: two[1]).figure : nil
      return slices + [heat, ParallelFigure(sweep: sweep).figure].compactMap(\.self)
    }
  }
}
