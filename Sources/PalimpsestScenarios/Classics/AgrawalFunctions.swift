/// What the functions read of a row.
struct Application {
  let salary: Double
  let commission: Double
  let age: Double
  let education: Double
  let houseValue: Double
  let years: Double
  let loan: Double

  init(_ row: [Float]) {
    (salary, commission, age, education) = (Double(row[0]), Double(row[1]), Double(row[2]), Double(row[3]))
    (houseValue, years, loan) = (Double(row[6]), Double(row[7]), Double(row[8]))
  }

  /// Below 40, from there below 60, from 60 on.
  func byAge(_ young: Bool, _ middle: Bool, _ old: Bool) -> Bool { age < 40 ? young : age < 60 ? middle : old }
}

/// One of the ten functions of Agrawal et al. 1993, section 5.
struct AgrawalFunction: Sendable {
  /// From 1.
  let number: Int
  let isRivers: Bool

  func isGroupA(_ a: Application) -> Bool {
    switch number {
    case 1: a.byAge(true, false, true)
    case 2: incomeOfAge(a, a.salary)
    case 3: a.byAge(a.education <= 1, (1...3).contains(a.education), a.education >= 2)
    case 4: fourth(a)
    case 5: isRivers ? riversFifth(a) : fifth(a)
    case 6: incomeOfAge(a, a.salary + a.commission)
    default: disposable(a) > (isRivers ? 1 : 0)
    }
  }

  private func incomeOfAge(_ a: Application, _ income: Double) -> Bool {
    a.byAge(isWithin(income, 50, 100), isWithin(income, 75, 125), isWithin(income, 25, 75))
  }

  private func fourth(_ a: Application) -> Bool {
    let (low, middle, high) = (isWithin(a.salary, 25, 75), isWithin(a.salary, 50, 100), isWithin(a.salary, 75, 125))
    return a.byAge(
      a.education <= 1 ? low : middle, (1...3).contains(a.education) ? middle : high, a.education >= 2 ? middle : low)
  }

  private func fifth(_ a: Application) -> Bool {
    a.byAge(
      isWithin(a.salary, 50, 100) ? isWithin(a.loan, 100, 300) : isWithin(a.loan, 200, 400),
      isWithin(a.salary, 75, 125) ? isWithin(a.loan, 200, 400) : isWithin(a.loan, 300, 500),
      isWithin(a.salary, 25, 75) ? isWithin(a.loan, 300, 500) : isWithin(a.loan, 100, 300))
  }

  /// River tests the salary in places where the paper and MOA have the loan, and takes 75,000 for 100,000 in the last.
  private func riversFifth(_ a: Application) -> Bool {
    a.byAge(
      isWithin(a.salary, 50, 100) ? isWithin(a.loan, 100, 300) : isWithin(a.salary, 200, 400),
      isWithin(a.salary, 75, 125) ? a.salary >= 200_000 && a.loan <= 400_000 : isWithin(a.salary, 300, 500),
      isWithin(a.salary, 25, 75) ? isWithin(a.loan, 300, 500) : isWithin(a.loan, 75, 300))
  }

  /// What is left of the income, functions 7 to 10.
  private func disposable(_ a: Application) -> Double {
    let income = 2 * (a.salary + a.commission) / 3
    let equity = a.years >= 20 ? a.houseValue * (a.years - 20) / 10 : 0
    switch number {
    case 7: return income - a.loan / 5 - 20_000
    case 8: return income - 5000 * a.education - 20_000
    case 9: return income - 5000 * a.education - a.loan / 5 - 10_000
    default: return income - 5000 * a.education + equity / 5 - 10_000
    }
  }

  /// In thousands, both ends included.
  private func isWithin(_ x: Double, _ low: Double, _ high: Double) -> Bool { (low * 1000...high * 1000).contains(x) }
}
