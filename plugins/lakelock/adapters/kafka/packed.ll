; Made of packed.c by `python -m native`; SHA-256 of that file and what it includes:
; baf5b3b81729926f652141d7cd20e74b53943ddd2d4f67a4b1f28c8ed61aa579

%struct.head = type { i32, i32, i64, i64, [3 x i64] }
%struct.texts = type { ptr, ptr, ptr }

define void @measure_packed(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %12

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = getelementptr inbounds i8, ptr %0, i64 48
  %9 = getelementptr inbounds i8, ptr %2, i64 24
  %10 = getelementptr inbounds i8, ptr %0, i64 120
  %11 = getelementptr inbounds i8, ptr %0, i64 128
  br label %13

12:                                               ; preds = %65, %1
  ret void

13:                                               ; preds = %5, %65
  %14 = phi i64 [ 0, %5 ], [ %70, %65 ]
  %15 = load ptr, ptr %6, align 8
  %16 = getelementptr inbounds i64, ptr %15, i64 %14
  %17 = load i64, ptr %16, align 8
  %18 = load ptr, ptr %7, align 8
  %19 = getelementptr inbounds i64, ptr %18, i64 %14
  %20 = load i64, ptr %19, align 8
  br label %21

21:                                               ; preds = %44, %13
  %22 = phi i64 [ 0, %13 ], [ %47, %44 ]
  %23 = getelementptr inbounds %struct.texts, ptr %8, i64 %22
  %24 = icmp eq i64 %22, 2
  %25 = select i1 %24, i64 -2, i64 -1
  %26 = getelementptr inbounds i8, ptr %23, i64 8
  %27 = load ptr, ptr %26, align 8
  %28 = icmp eq ptr %27, null
  br i1 %28, label %44, label %29

29:                                               ; preds = %21
  %30 = getelementptr inbounds i8, ptr %23, i64 16
  %31 = load ptr, ptr %30, align 8
  %32 = icmp eq ptr %31, null
  br i1 %32, label %37, label %33

33:                                               ; preds = %29
  %34 = getelementptr inbounds i8, ptr %31, i64 %17
  %35 = load i8, ptr %34, align 1
  %36 = icmp eq i8 %35, 0
  br i1 %36, label %37, label %44

37:                                               ; preds = %33, %29
  %38 = getelementptr i64, ptr %27, i64 %17
  %39 = getelementptr i8, ptr %38, i64 8
  %40 = load i64, ptr %39, align 8
  %41 = load i64, ptr %38, align 8
  %42 = xor i64 %41, -1
  %43 = add i64 %40, %42
  br label %44

44:                                               ; preds = %37, %33, %21
  %45 = phi i64 [ %25, %21 ], [ %43, %37 ], [ -1, %33 ]
  %46 = getelementptr inbounds i64, ptr %9, i64 %22
  store i64 %45, ptr %46, align 8
  %47 = add i64 %22, 1
  %48 = icmp eq i64 %47, 3
  br i1 %48, label %49, label %21

49:                                               ; preds = %44
  %50 = load ptr, ptr %10, align 8
  %51 = shl i64 %20, 32
  %52 = ashr i64 %51, 32
  %53 = getelementptr inbounds i64, ptr %50, i64 %52
  %54 = load i64, ptr %53, align 8
  %55 = add i64 %54, 1
  store i64 %55, ptr %53, align 8
  br label %56

56:                                               ; preds = %56, %49
  %57 = phi i64 [ 0, %49 ], [ %63, %56 ]
  %58 = phi i64 [ 48, %49 ], [ %62, %56 ]
  %59 = getelementptr inbounds i64, ptr %9, i64 %57
  %60 = load i64, ptr %59, align 8
  %61 = call i64 @llvm.smax.i64(i64 %60, i64 0)
  %62 = add i64 %61, %58
  %63 = add i64 %57, 1
  %64 = icmp eq i64 %63, 3
  br i1 %64, label %65, label %56

65:                                               ; preds = %56
  %66 = load ptr, ptr %11, align 8
  %67 = getelementptr inbounds i64, ptr %66, i64 %52
  %68 = load i64, ptr %67, align 8
  %69 = add i64 %68, %62
  store i64 %69, ptr %67, align 8
  %70 = add i64 %14, 1
  %71 = load i64, ptr %0, align 8
  %72 = icmp slt i64 %70, %71
  br i1 %72, label %13, label %12
}

define void @pack_records(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %18

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 144
  %7 = getelementptr inbounds i8, ptr %0, i64 136
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  %9 = getelementptr inbounds i8, ptr %0, i64 8
  %10 = getelementptr inbounds i8, ptr %0, i64 24
  %11 = getelementptr inbounds i8, ptr %2, i64 4
  %12 = getelementptr inbounds i8, ptr %0, i64 32
  %13 = getelementptr inbounds i8, ptr %2, i64 8
  %14 = getelementptr inbounds i8, ptr %0, i64 40
  %15 = getelementptr inbounds i8, ptr %2, i64 16
  %16 = getelementptr inbounds i8, ptr %0, i64 48
  %17 = getelementptr inbounds i8, ptr %2, i64 24
  br label %19

18:                                               ; preds = %104, %1
  ret void

19:                                               ; preds = %5, %104
  %20 = phi i64 [ %3, %5 ], [ %106, %104 ]
  %21 = phi i64 [ 0, %5 ], [ %105, %104 ]
  %22 = load ptr, ptr %6, align 8
  %23 = load ptr, ptr %7, align 8
  %24 = load ptr, ptr %8, align 8
  %25 = add i64 %21, 6
  %26 = icmp slt i64 %25, %20
  %27 = select i1 %26, i64 %25, i64 %21
  %28 = getelementptr inbounds i64, ptr %24, i64 %27
  %29 = load i64, ptr %28, align 8
  %30 = getelementptr inbounds i64, ptr %23, i64 %29
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds i8, ptr %22, i64 %31
  br label %98

33:                                               ; preds = %98
  %34 = load ptr, ptr %9, align 8
  %35 = getelementptr inbounds i64, ptr %34, i64 %21
  %36 = load i64, ptr %35, align 8
  %37 = getelementptr inbounds i64, ptr %24, i64 %21
  %38 = load i64, ptr %37, align 8
  %39 = trunc i64 %38 to i32
  store i32 %39, ptr %2, align 8
  %40 = load ptr, ptr %10, align 8
  %41 = getelementptr inbounds i32, ptr %40, i64 %36
  %42 = load i32, ptr %41, align 4
  store i32 %42, ptr %11, align 4
  %43 = load ptr, ptr %12, align 8
  %44 = getelementptr inbounds i64, ptr %43, i64 %36
  %45 = load i64, ptr %44, align 8
  store i64 %45, ptr %13, align 8
  %46 = load ptr, ptr %14, align 8
  %47 = getelementptr inbounds i64, ptr %46, i64 %36
  %48 = load i64, ptr %47, align 8
  store i64 %48, ptr %15, align 8
  br label %49

49:                                               ; preds = %72, %33
  %50 = phi i64 [ 0, %33 ], [ %75, %72 ]
  %51 = getelementptr inbounds %struct.texts, ptr %16, i64 %50
  %52 = icmp eq i64 %50, 2
  %53 = select i1 %52, i64 -2, i64 -1
  %54 = getelementptr inbounds i8, ptr %51, i64 8
  %55 = load ptr, ptr %54, align 8
  %56 = icmp eq ptr %55, null
  br i1 %56, label %72, label %57

57:                                               ; preds = %49
  %58 = getelementptr inbounds i8, ptr %51, i64 16
  %59 = load ptr, ptr %58, align 8
  %60 = icmp eq ptr %59, null
  br i1 %60, label %65, label %61

61:                                               ; preds = %57
  %62 = getelementptr inbounds i8, ptr %59, i64 %36
  %63 = load i8, ptr %62, align 1
  %64 = icmp eq i8 %63, 0
  br i1 %64, label %65, label %72

65:                                               ; preds = %61, %57
  %66 = getelementptr i64, ptr %55, i64 %36
  %67 = getelementptr i8, ptr %66, i64 8
  %68 = load i64, ptr %67, align 8
  %69 = load i64, ptr %66, align 8
  %70 = xor i64 %69, -1
  %71 = add i64 %68, %70
  br label %72

72:                                               ; preds = %65, %61, %49
  %73 = phi i64 [ %53, %49 ], [ %71, %65 ], [ -1, %61 ]
  %74 = getelementptr inbounds i64, ptr %17, i64 %50
  store i64 %73, ptr %74, align 8
  %75 = add i64 %50, 1
  %76 = icmp eq i64 %75, 3
  br i1 %76, label %77, label %49

77:                                               ; preds = %72
  %78 = shl i64 %38, 32
  %79 = ashr i64 %78, 32
  %80 = getelementptr inbounds i64, ptr %23, i64 %79
  %81 = load i64, ptr %80, align 8
  %82 = getelementptr inbounds i8, ptr %22, i64 %81
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %82, ptr align 8 %2, i64 48, i1 false)
  br label %83

83:                                               ; preds = %83, %77
  %84 = phi i64 [ 0, %77 ], [ %90, %83 ]
  %85 = phi i64 [ 48, %77 ], [ %89, %83 ]
  %86 = getelementptr inbounds i64, ptr %17, i64 %84
  %87 = load i64, ptr %86, align 8
  %88 = call i64 @llvm.smax.i64(i64 %87, i64 0)
  %89 = add i64 %88, %85
  %90 = add i64 %84, 1
  %91 = icmp eq i64 %90, 3
  br i1 %91, label %92, label %83

92:                                               ; preds = %83
  %93 = load ptr, ptr %7, align 8
  %94 = getelementptr inbounds i64, ptr %93, i64 %79
  %95 = load i64, ptr %94, align 8
  %96 = add i64 %95, %89
  store i64 %96, ptr %94, align 8
  %97 = getelementptr inbounds i8, ptr %82, i64 48
  br label %108

98:                                               ; preds = %19, %98
  %99 = phi i64 [ 0, %19 ], [ %102, %98 ]
  %100 = shl i64 %99, 6
  %101 = getelementptr inbounds i8, ptr %32, i64 %100
  call void @llvm.prefetch.p0(ptr %101, i32 1, i32 3, i32 1)
  %102 = add i64 %99, 1
  %103 = icmp eq i64 %102, 4
  br i1 %103, label %33, label %98

104:                                              ; preds = %126
  %105 = add i64 %21, 1
  %106 = load i64, ptr %0, align 8
  %107 = icmp slt i64 %105, %106
  br i1 %107, label %19, label %18

108:                                              ; preds = %92, %126
  %109 = phi i64 [ 0, %92 ], [ %128, %126 ]
  %110 = phi ptr [ %97, %92 ], [ %127, %126 ]
  %111 = getelementptr inbounds i64, ptr %17, i64 %109
  %112 = load i64, ptr %111, align 8
  %113 = icmp slt i64 %112, 1
  br i1 %113, label %126, label %114

114:                                              ; preds = %108
  %115 = getelementptr inbounds %struct.texts, ptr %16, i64 %109
  %116 = load ptr, ptr %115, align 8
  %117 = getelementptr inbounds i8, ptr %115, i64 8
  %118 = load ptr, ptr %117, align 8
  %119 = load ptr, ptr %9, align 8
  %120 = getelementptr inbounds i64, ptr %119, i64 %21
  %121 = load i64, ptr %120, align 8
  %122 = getelementptr inbounds i64, ptr %118, i64 %121
  %123 = load i64, ptr %122, align 8
  %124 = getelementptr inbounds i8, ptr %116, i64 %123
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %110, ptr align 1 %124, i64 %112, i1 false)
  %125 = getelementptr inbounds i8, ptr %110, i64 %112
  br label %126

126:                                              ; preds = %108, %114
  %127 = phi ptr [ %110, %108 ], [ %125, %114 ]
  %128 = add i64 %109, 1
  %129 = icmp eq i64 %128, 3
  br i1 %129, label %104, label %108
}

declare void @llvm.prefetch.p0(ptr , i32 immarg, i32 immarg, i32 immarg)

declare void @llvm.memcpy.p0.p0.i64(ptr noalias , ptr noalias , i64, i1 immarg)

define void @measure_unpacked(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = load i64, ptr %0, align 8
  %4 = icmp sgt i64 %3, 0
  br i1 %4, label %5, label %17

5:                                                ; preds = %1
  %6 = getelementptr inbounds i8, ptr %0, i64 8
  %7 = getelementptr inbounds i8, ptr %0, i64 16
  %8 = getelementptr inbounds i8, ptr %0, i64 32
  %9 = getelementptr inbounds i8, ptr %0, i64 40
  %10 = getelementptr inbounds i8, ptr %2, i64 24
  %11 = getelementptr inbounds i8, ptr %2, i64 32
  %12 = getelementptr inbounds i8, ptr %0, i64 80
  %13 = getelementptr inbounds i8, ptr %2, i64 40
  %14 = getelementptr inbounds i8, ptr %0, i64 88
  %15 = getelementptr inbounds i8, ptr %0, i64 48
  %16 = getelementptr inbounds i8, ptr %0, i64 24
  br label %18

17:                                               ; preds = %77, %1
  ret void

18:                                               ; preds = %5, %77
  %19 = phi i64 [ 0, %5 ], [ %81, %77 ]
  %20 = load ptr, ptr %6, align 8
  %21 = getelementptr inbounds ptr, ptr %20, i64 %19
  %22 = load ptr, ptr %21, align 8
  %23 = load ptr, ptr %7, align 8
  %24 = getelementptr inbounds i64, ptr %23, i64 %19
  %25 = load i64, ptr %24, align 8
  %26 = getelementptr inbounds i8, ptr %22, i64 %25
  %27 = icmp sgt i64 %25, 0
  br i1 %27, label %28, label %77

28:                                               ; preds = %18, %56
  %29 = phi i64 [ %58, %56 ], [ 0, %18 ]
  %30 = phi ptr [ %57, %56 ], [ %22, %18 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 1 %30, i64 48, i1 false)
  %31 = load i32, ptr %2, align 8
  %32 = sext i32 %31 to i64
  %33 = load i64, ptr %8, align 8
  %34 = sub i64 %32, %33
  %35 = load ptr, ptr %9, align 8
  %36 = getelementptr inbounds i64, ptr %35, i64 %34
  %37 = load i64, ptr %36, align 8
  %38 = add i64 %37, 1
  store i64 %38, ptr %36, align 8
  %39 = load i64, ptr %11, align 8
  %40 = icmp eq i64 %39, -1
  br i1 %40, label %42, label %41

41:                                               ; preds = %28
  store i64 1, ptr %12, align 8
  br label %42

42:                                               ; preds = %41, %28
  %43 = load i64, ptr %13, align 8
  %44 = icmp eq i64 %43, -2
  br i1 %44, label %45, label %46

45:                                               ; preds = %46, %42
  br label %60

46:                                               ; preds = %42
  store i64 1, ptr %14, align 8
  br label %45

47:                                               ; preds = %60, %47
  %48 = phi i64 [ %54, %47 ], [ 0, %60 ]
  %49 = phi i64 [ %53, %47 ], [ 48, %60 ]
  %50 = getelementptr inbounds i64, ptr %10, i64 %48
  %51 = load i64, ptr %50, align 8
  %52 = call i64 @llvm.smax.i64(i64 %51, i64 0)
  %53 = add i64 %52, %49
  %54 = add i64 %48, 1
  %55 = icmp eq i64 %54, 3
  br i1 %55, label %56, label %47

56:                                               ; preds = %47
  %57 = getelementptr inbounds i8, ptr %30, i64 %53
  %58 = add i64 %29, 1
  %59 = icmp ult ptr %57, %26
  br i1 %59, label %28, label %77

60:                                               ; preds = %45, %60
  %61 = phi i64 [ %75, %60 ], [ 0, %45 ]
  %62 = getelementptr inbounds i64, ptr %10, i64 %61
  %63 = load i64, ptr %62, align 8
  %64 = icmp eq i64 %63, -2
  %65 = select i1 %64, i64 0, i64 %61
  %66 = getelementptr inbounds i64, ptr %10, i64 %65
  %67 = load i64, ptr %66, align 8
  %68 = call i64 @llvm.smax.i64(i64 %67, i64 0)
  %69 = add i64 %68, 1
  %70 = getelementptr inbounds ptr, ptr %15, i64 %61
  %71 = load ptr, ptr %70, align 8
  %72 = getelementptr inbounds i64, ptr %71, i64 %34
  %73 = load i64, ptr %72, align 8
  %74 = add i64 %69, %73
  store i64 %74, ptr %72, align 8
  %75 = add i64 %61, 1
  %76 = icmp eq i64 %75, 3
  br i1 %76, label %47, label %60

77:                                               ; preds = %56, %18
  %78 = phi i64 [ 0, %18 ], [ %58, %56 ]
  %79 = load ptr, ptr %16, align 8
  %80 = getelementptr inbounds i64, ptr %79, i64 %19
  store i64 %78, ptr %80, align 8
  %81 = add i64 %19, 1
  %82 = load i64, ptr %0, align 8
  %83 = icmp slt i64 %81, %82
  br i1 %83, label %18, label %17
}

define void @unpack_records(ptr %0) {
  %2 = alloca %struct.head, align 8
  %3 = alloca [3 x ptr], align 16
  %4 = load i64, ptr %0, align 8
  %5 = icmp sgt i64 %4, 0
  br i1 %5, label %6, label %21

6:                                                ; preds = %1
  %7 = getelementptr inbounds i8, ptr %0, i64 8
  %8 = getelementptr inbounds i8, ptr %0, i64 16
  %9 = getelementptr inbounds i8, ptr %0, i64 32
  %10 = getelementptr inbounds i8, ptr %0, i64 40
  %11 = getelementptr inbounds i8, ptr %2, i64 4
  %12 = getelementptr inbounds i8, ptr %0, i64 96
  %13 = getelementptr inbounds i8, ptr %2, i64 8
  %14 = getelementptr inbounds i8, ptr %0, i64 104
  %15 = getelementptr inbounds i8, ptr %2, i64 16
  %16 = getelementptr inbounds i8, ptr %0, i64 112
  %17 = getelementptr inbounds i8, ptr %0, i64 192
  %18 = getelementptr inbounds i8, ptr %2, i64 24
  %19 = getelementptr inbounds i8, ptr %0, i64 120
  %20 = getelementptr inbounds i8, ptr %0, i64 48
  br label %22

21:                                               ; preds = %124, %1
  ret void

22:                                               ; preds = %6, %124
  %23 = phi i64 [ %4, %6 ], [ %125, %124 ]
  %24 = phi i64 [ 0, %6 ], [ %126, %124 ]
  %25 = phi i64 [ 0, %6 ], [ %127, %124 ]
  %26 = load ptr, ptr %7, align 8
  %27 = getelementptr inbounds ptr, ptr %26, i64 %25
  %28 = load ptr, ptr %27, align 8
  %29 = load ptr, ptr %8, align 8
  %30 = getelementptr inbounds i64, ptr %29, i64 %25
  %31 = load i64, ptr %30, align 8
  %32 = getelementptr inbounds i8, ptr %28, i64 %31
  %33 = icmp sgt i64 %31, 0
  br i1 %33, label %34, label %124

34:                                               ; preds = %22, %80
  %35 = phi i64 [ %82, %80 ], [ %24, %22 ]
  %36 = phi ptr [ %81, %80 ], [ %28, %22 ]
  call void @llvm.memcpy.p0.p0.i64(ptr align 8 %2, ptr align 1 %36, i64 48, i1 false)
  %37 = load i32, ptr %2, align 8
  %38 = sext i32 %37 to i64
  %39 = load i64, ptr %9, align 8
  %40 = sub i64 %38, %39
  %41 = load ptr, ptr %10, align 8
  %42 = getelementptr inbounds i64, ptr %41, i64 %40
  %43 = load i64, ptr %42, align 8
  %44 = add i64 %43, 1
  store i64 %44, ptr %42, align 8
  %45 = load i32, ptr %11, align 4
  %46 = load ptr, ptr %12, align 8
  %47 = getelementptr inbounds i32, ptr %46, i64 %43
  store i32 %45, ptr %47, align 4
  %48 = load i64, ptr %13, align 8
  %49 = load ptr, ptr %14, align 8
  %50 = getelementptr inbounds i64, ptr %49, i64 %43
  store i64 %48, ptr %50, align 8
  %51 = load i64, ptr %15, align 8
  %52 = load ptr, ptr %16, align 8
  %53 = getelementptr inbounds i64, ptr %52, i64 %43
  store i64 %51, ptr %53, align 8
  %54 = load ptr, ptr %17, align 8
  %55 = icmp eq ptr %54, null
  br i1 %55, label %58, label %56

56:                                               ; preds = %34
  %57 = getelementptr inbounds i64, ptr %54, i64 %43
  store i64 %35, ptr %57, align 8
  br label %58

58:                                               ; preds = %56, %34
  %59 = getelementptr inbounds i8, ptr %36, i64 48
  br label %60

60:                                               ; preds = %58, %60
  %61 = phi i64 [ 0, %58 ], [ %68, %60 ]
  %62 = phi ptr [ %59, %58 ], [ %67, %60 ]
  %63 = getelementptr inbounds ptr, ptr %3, i64 %61
  store ptr %62, ptr %63, align 8
  %64 = getelementptr inbounds i64, ptr %18, i64 %61
  %65 = load i64, ptr %64, align 8
  %66 = call i64 @llvm.smax.i64(i64 %65, i64 0)
  %67 = getelementptr inbounds i8, ptr %62, i64 %66
  %68 = add i64 %61, 1
  %69 = icmp eq i64 %68, 3
  br i1 %69, label %84, label %60

70:                                               ; preds = %119
  br label %71

71:                                               ; preds = %71, %70
  %72 = phi i64 [ 0, %70 ], [ %78, %71 ]
  %73 = phi i64 [ 48, %70 ], [ %77, %71 ]
  %74 = getelementptr inbounds i64, ptr %18, i64 %72
  %75 = load i64, ptr %74, align 8
  %76 = call i64 @llvm.smax.i64(i64 %75, i64 0)
  %77 = add i64 %76, %73
  %78 = add i64 %72, 1
  %79 = icmp eq i64 %78, 3
  br i1 %79, label %80, label %71

80:                                               ; preds = %71
  %81 = getelementptr inbounds i8, ptr %36, i64 %77
  %82 = add i64 %35, 1
  %83 = icmp ult ptr %81, %32
  br i1 %83, label %34, label %122

84:                                               ; preds = %60, %119
  %85 = phi i64 [ %120, %119 ], [ 0, %60 ]
  %86 = getelementptr inbounds %struct.texts, ptr %19, i64 %85
  %87 = getelementptr inbounds i8, ptr %86, i64 8
  %88 = load ptr, ptr %87, align 8
  %89 = icmp eq ptr %88, null
  br i1 %89, label %119, label %90

90:                                               ; preds = %84
  %91 = getelementptr inbounds i64, ptr %18, i64 %85
  %92 = load i64, ptr %91, align 8
  %93 = icmp eq i64 %92, -2
  %94 = select i1 %93, i64 0, i64 %85
  %95 = getelementptr inbounds i64, ptr %18, i64 %94
  %96 = load i64, ptr %95, align 8
  %97 = getelementptr inbounds ptr, ptr %20, i64 %85
  %98 = load ptr, ptr %97, align 8
  %99 = getelementptr inbounds i64, ptr %98, i64 %40
  %100 = load i64, ptr %99, align 8
  %101 = lshr i64 %96, 63
  %102 = trunc i64 %101 to i8
  %103 = getelementptr inbounds i8, ptr %86, i64 16
  %104 = load ptr, ptr %103, align 8
  %105 = getelementptr inbounds i8, ptr %104, i64 %43
  store i8 %102, ptr %105, align 1
  %106 = call i64 @llvm.smax.i64(i64 %96, i64 0)
  %107 = load ptr, ptr %86, align 8
  %108 = getelementptr inbounds i8, ptr %107, i64 %100
  %109 = getelementptr inbounds ptr, ptr %3, i64 %94
  %110 = load ptr, ptr %109, align 8
  call void @llvm.memcpy.p0.p0.i64(ptr align 1 %108, ptr align 1 %110, i64 %106, i1 false)
  %111 = load ptr, ptr %86, align 8
  %112 = add i64 %100, %106
  %113 = getelementptr inbounds i8, ptr %111, i64 %112
  store i8 10, ptr %113, align 1
  %114 = add i64 %112, 1
  %115 = load ptr, ptr %87, align 8
  %116 = getelementptr inbounds i64, ptr %115, i64 %44
  store i64 %114, ptr %116, align 8
  %117 = load ptr, ptr %97, align 8
  %118 = getelementptr inbounds i64, ptr %117, i64 %40
  store i64 %114, ptr %118, align 8
  br label %119

119:                                              ; preds = %84, %90
  %120 = add i64 %85, 1
  %121 = icmp eq i64 %120, 3
  br i1 %121, label %70, label %84

122:                                              ; preds = %80
  %123 = load i64, ptr %0, align 8
  br label %124

124:                                              ; preds = %122, %22
  %125 = phi i64 [ %23, %22 ], [ %123, %122 ]
  %126 = phi i64 [ %24, %22 ], [ %82, %122 ]
  %127 = add i64 %25, 1
  %128 = icmp slt i64 %127, %125
  br i1 %128, label %22, label %21
}

declare i64 @llvm.smax.i64(i64, i64)
