import PalimpsestCore
import PalimpsestScenarios

/// The lives of `habit-seasons` once more, from the formulas of its documentation: nothing is shared with the program but the random
/// numbers, which are functions of seed, person, day and what they are drawn for.
struct RestatedSeasons {
  var days = 730
  var burnIn = 60
  var event: Int? = 500
  var blips = [100, 225, 465, 590]
  let seed: Seed

  /// p* of each day of a person behind the burn-in.
  func probabilities(_ person: Int) -> [Double] {
    func trait(_ n: Int) -> Double { seed.uniform(person, -1, -1 - n) }
    func normal(_ n: Int) -> Double { Quantile.normal(trait(n)) }
    let openness = Quantile.betaTwo(trait(1), b: 6)
    var (weekend, reminders) = (-0.3 + 0.6 * normal(5), abs(1 + 0.6 * normal(6)))
    let growth = 0.0454 * Elementary.exp(0.6 * normal(7))
    let limit = betaFiveThree(trait(8))
    var motivation = 0.35 / (1 - 0.81).squareRoot() * normal(9)
    let (away, isBlip) = befallen(person)
    var (strength, effort, streak) = (0.1, 0.0, 0)
    var result: [Double] = []
    for day in 0..<burnIn + days {
      let date = day - burnIn
      if date == event { (weekend, reminders, strength) = (-weekend, -0.7 * reminders, 0.4 * strength) }
      var opened = 0
      for n in 0..<2 {
        let chance = openness * (0.3 + 0.7 * Elementary.exp(-(effort + Double(n)) / 27))
        opened += seed.uniform(person, day, 2 + n) < chance ? 1 : 0
      }
      let (weekday, dayOfYear) = ((date + 1 + 700) % 7, (date + 730) % 365)
      var z = -0.6 + 0.9 * normal(4) + 3.2 * (strength - 0.35) + motivation + 0.6 * reminders * Double(opened)
      z += (weekday >= 5 ? weekend : 0) + (weekday == 0 ? 0.29 : 0) + 0.125 * Elementary.log(1 + Double(streak))
      z += 0.6 * Elementary.cos(2 * .pi * Double(dayOfYear - 196) / 365)
      z -= (away[day] ? 0.8 : 0) + (isBlip[day] ? 1.5 : 0)
      let p = Elementary.logistic(1.6 * z)
      if date >= 0 { result.append(p) }
      let isKept = seed.uniform(person, day, 4) < p
      streak = isKept ? streak + 1 : 0
      strength = isKept ? strength + growth * (limit - strength) : 0.99 * strength
      motivation = 0.9 * motivation + 0.35 * Quantile.normal(seed.uniform(person, day, -1))
      effort = (effort + 2) * Elementary.exp(-1.0 / 30)
    }
    return result
  }

  /// Trips and blips: Poisson counts a year (2 and 3), uniform first days, none within another.
  private func befallen(_ person: Int) -> (away: [Bool], isBlip: [Bool]) {
    let all = burnIn + days
    func marked(_ mean: Double, _ number: Int, _ length: (Int, Int) -> Int) -> [Bool] {
      var starts: [(day: Int, length: Int)] = []
      for year in -1..<(days + 364) / 365 {
        func uniform(_ c: Int) -> Double { seed.uniform(person, -3 - year, -1 - c) }
        var (count, mass) = (0, Elementary.exp(-mean))
        var sum = mass
        while uniform(number) >= sum {
          count += 1
          mass *= mean / Double(count)
          sum += mass
        }
        for n in 0..<count {
          starts.append((burnIn + 365 * year + Int(365 * uniform(number + 1 + 8 * n)), length(year, n)))
        }
      }
      var marks = [Bool](repeating: false, count: all)
      var end = Int.min
      for start in starts.sorted(by: { $0.day < $1.day }) where start.day >= max(0, end) && start.day < all {
        end = start.day + start.length
        for day in start.day..<min(all, end) { marks[day] = true }
      }
      return marks
    }
    let away = marked(2, 0) { _, _ in 10 }
    var isBlip = marked(3, 3) { year, n in 3 + Int(5 * seed.uniform(person, -3 - year, -1 - (5 + 8 * n))) }
    for first in blips { for day in first..<first + 5 { isBlip[burnIn + day] = true } }
    return (away, isBlip)
  }

  /// x with P(at least five of seven uniform numbers below x) = u.
  private func betaFiveThree(_ u: Double) -> Double {
    var (low, high) = (0.0, 1.0)
    for _ in 0..<60 {
      let x = (low + high) / 2
      let share = (5...7).reduce(0.0) { sum, k in
        sum + [21, 7, 1][k - 5] * Elementary.power(x, Double(k)) * Elementary.power(1 - x, Double(7 - k))
      }
      if share < u { low = x } else { high = x }
    }
    return low
  }
}
